import torch

from losses import lm_loss


def train_epoch(model, loader, optimizer, accum):
    model.train()
    for i, (src, tgt) in enumerate(loader, start=1):
        logits, _ = model(src.cuda())
        loss = lm_loss(logits, tgt.cuda()) / accum  # expect: DNN209
        loss.backward()  # or: DNN209
        if i % accum == 0 or i == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    return loss.item() * accum
