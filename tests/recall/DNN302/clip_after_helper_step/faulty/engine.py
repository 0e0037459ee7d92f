import torch

from utils.optim import backward_and_step


def run_epoch(model, criterion, loader, optimizer, max_norm=1.0):
    model.train()
    losses = []
    for x, y in loader:
        loss = criterion(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        backward_and_step(loss, optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # expect: DNN302
        losses.append(loss.item())
    return sum(losses) / len(losses)
