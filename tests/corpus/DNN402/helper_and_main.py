# The loader is made by a helper; the model goes to CUDA in main.
import torch
from torch.utils.data import DataLoader


def make(dataset, batch=32):
    return DataLoader(dataset, batch, shuffle=True, num_workers=8, persistent_workers=True)  # expect: DNN402


def main():
    from kelp import KelpNet, KelpSet

    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = KelpNet().to(device)
    opt = torch.optim.Adam(net.parameters())
    loader = make(KelpSet("train"))
    for _ in range(5):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x.to(device)), y.to(device)).backward()
            opt.step()


main()
