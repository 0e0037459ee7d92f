import torch


@torch.no_grad()
def predict(loader):
    model = torch.nn.Linear(4, 10)
    model.eval()
    outputs = []
    for x in loader:
        out = model(x)
        outputs.append(out)
    return torch.cat(outputs)
