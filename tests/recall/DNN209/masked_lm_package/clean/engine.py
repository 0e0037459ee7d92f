import torch

from losses import lm_loss


def train_epoch(model, loader, optimizer, accum):
    model.train()
    tokens = 0.0
    for i, (src, tgt) in enumerate(loader, start=1):
        logits, _ = model(src.cuda())
        loss, count = lm_loss(logits, tgt.cuda())
        loss.backward()
        tokens += count.item()
        if i % accum == 0 or i == len(loader):
            for p in model.parameters():
                if p.grad is not None:
                    p.grad.div_(tokens)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            tokens = 0.0
    return (loss / count).item()
