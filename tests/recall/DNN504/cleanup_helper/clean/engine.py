import torch

from utils.memory import cleanup, peak_mib


def train_epoch(model, loader, optimizer):
    model.train()
    for step, (idx, targets) in enumerate(loader):
        optimizer.zero_grad(set_to_none=True)
        try:
            _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()
        except torch.cuda.OutOfMemoryError:
            optimizer.zero_grad(set_to_none=True)
            cleanup()
            print(f"step {step}: out of memory, batch skipped")
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 100 == 0:
            print(step, loss.item(), f"{peak_mib():.0f} MiB")
