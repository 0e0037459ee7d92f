import torch


@torch.no_grad()
def evaluate(model, loader):
    was_training = model.training
    model.eval()
    correct = sum((model(x.cuda()).argmax(1).cpu() == y).sum().item() for x, y in loader)
    model.train(was_training)
    return correct / len(loader.dataset)
