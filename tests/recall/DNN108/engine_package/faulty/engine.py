import torch


def train_steps(model, loader, optimizer, max_steps, clip=1.0):
    model.train()
    step = 0
    while step < max_steps:  # or: DNN108
        for idx, targets in loader:  # expect: DNN108
            idx, targets = idx.to("cuda"), targets.to("cuda")
            _, loss = model(idx, targets)  # or: DNN108
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # or: DNN108
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
            if step % 50 == 0:
                print(f"iter {step}: loss {loss.item():.4f}")
            step += 1
            if step == max_steps:
                return
