import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from exporter import DynamicExporter


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, 1, 3, padding=1),
        )

    def forward(self, x):
        return x - self.body(x)


if __name__ == "__main__":
    ds = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    net = Denoiser().cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(10):
        for x, _ in DataLoader(ds, 128, shuffle=True, num_workers=8):
            x = x.cuda()
            loss = nn.functional.mse_loss(net(x + 0.2 * torch.randn_like(x)), x)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    print(DynamicExporter("out").export(net, "denoiser.pt"), "bytes")  # or: DNN806
