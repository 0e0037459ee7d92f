# shuffle=False, with an epoch function.
import torch
from torchvision import datasets, transforms


def train(model, loader, opt):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.nll_loss(model(x), y).backward()
        opt.step()


def main():
    from digits import Net

    data = datasets.KMNIST("data", download=True, transform=transforms.ToTensor())
    loader = torch.utils.data.DataLoader(data, 64, shuffle=False, num_workers=8)  # expect: DNN404
    model = Net()
    opt = torch.optim.Adam(model.parameters())
    for _ in range(5):
        train(model, loader, opt)


main()
