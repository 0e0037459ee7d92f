from utils.optim import backward_and_step


def run_epoch(model, criterion, loader, optimizer, max_norm=1.0):
    model.train()
    losses = []
    for x, y in loader:
        loss = criterion(model(x.cuda(non_blocking=True)), y.cuda(non_blocking=True))
        backward_and_step(loss, optimizer, model.parameters(), max_norm)
        losses.append(loss.item())
    return sum(losses) / len(losses)
