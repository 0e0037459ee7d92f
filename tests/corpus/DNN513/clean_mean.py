import torch


@torch.no_grad()
def predict(loader):
    model = torch.nn.Linear(4, 10).cuda()
    model.eval()
    outputs = []
    for x in loader:
        out = model(x.cuda())
        outputs.append(out.mean())
    return torch.cat(outputs)
