import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


def train_epoch(model, loader, opt, device):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        opt.step()


def save_checkpoint(model, opt, path):
    state = {"model": model.state_dict(), "optimizer": opt.state_dict()}
    torch.save(state, path)  # expect: DNN605


def main(loader):
    dist.init_process_group("gloo")
    model = DDP(Net())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(5):
        train_epoch(model, loader, opt, "cpu")
        save_checkpoint(model, opt, f"epoch{epoch}.pt")


if __name__ == "__main__":
    main(make_loader())
