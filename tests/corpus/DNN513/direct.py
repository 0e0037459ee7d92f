import torch


@torch.no_grad()
def predict(loader):
    model = torch.nn.Linear(4, 10).cuda()
    model.eval()
    outputs = []
    for x in loader:
        outputs.append(model(x.cuda()))  # expect: DNN513
    return torch.cat(outputs)
