import torch


@torch.no_grad()
def evaluate(model, loader):
    model.eval()  # expect: DNN508
    correct = sum((model(x.cuda()).argmax(1).cpu() == y).sum().item() for x, y in loader)
    return correct / len(loader.dataset)
