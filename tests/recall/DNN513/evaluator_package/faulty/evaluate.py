import torch


class PredictionStore:
    def __init__(self):
        self.logits, self.targets = [], []

    def add(self, logits, targets):
        self.logits.append(logits)  # expect: DNN513
        self.targets.append(targets)  # or: DNN513

    def top5(self):
        top = torch.cat(self.logits).topk(5, dim=-1).indices
        return (top == torch.cat(self.targets).unsqueeze(-1)).any(-1).float().mean().item()


@torch.inference_mode()
def evaluate(model, loader):
    model.eval()
    store = PredictionStore()
    for idx, targets in loader:
        idx, targets = idx.cuda(), targets.cuda()
        logits, _ = model(idx)
        store.add(logits[:, -1], targets[:, -1])  # or: DNN513
    return store.top5()
