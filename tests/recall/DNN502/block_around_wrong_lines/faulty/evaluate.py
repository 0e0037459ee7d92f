import torch


def dice(pred, target, eps=1e-6):
    inter = ((pred == 1) & (target == 1)).sum()
    return (2 * inter + eps) / ((pred == 1).sum() + (target == 1).sum() + eps)


def evaluate(net, loader, device):
    net.eval()
    score = 0.0
    for image, mask in loader:  # or: DNN502
        logits = net(image.to(device))  # expect: DNN502
        with torch.no_grad():
            score += dice(logits.argmax(1), mask.to(device)).item()
    return score / max(len(loader), 1)
