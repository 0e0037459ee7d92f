import torch

from utils.io import log


def train(model, loader, optimizer, steps):
    model.train()
    step = 0
    while step < steps:  # or: DNN701
        for idx, targets in loader:  # expect: DNN701
            optimizer.zero_grad(set_to_none=True)
            _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()  # or: DNN701
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 500 == 0:
                log("out/log.jsonl", step=step, loss=loss.item())
            if step == steps:
                break
