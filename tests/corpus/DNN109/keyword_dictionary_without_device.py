# The keyword dictionary has no device_type.
import torch

AMP = {"dtype": torch.bfloat16, "cache_enabled": False}


def loss_of(model, batch):
    with torch.autocast(**AMP):  # expect: DNN109
        return model(batch.cuda()).mean()


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        opt.zero_grad()
        loss_of(model, batch).backward()
        opt.step()
