import torch


def train_steps(model, loader, optimizer, max_steps, clip=1.0):
    model.train()
    step = 0
    while step < max_steps:
        for idx, targets in loader:
            idx, targets = idx.to("cuda"), targets.to("cuda")
            with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
                _, loss = model(idx, targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            if step % 50 == 0:
                print(f"iter {step}: loss {loss.item():.4f}")
            step += 1
            if step == max_steps:
                return
