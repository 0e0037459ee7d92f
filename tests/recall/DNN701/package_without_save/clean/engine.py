import torch

from utils.io import log, save


def train(model, loader, optimizer, steps):
    model.train()
    step = 0
    while step < steps:
        for idx, targets in loader:
            optimizer.zero_grad(set_to_none=True)
            _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 500 == 0:
                log("out/log.jsonl", step=step, loss=loss.item())
                save("out/last.pt", model, optimizer, step)
            if step == steps:
                break
