import torch


def train(model, loader):
    start = model.state_dict()
    for x, y in loader:
        model.load_state_dict(start)
        opt = torch.optim.Adam(model.parameters())
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
