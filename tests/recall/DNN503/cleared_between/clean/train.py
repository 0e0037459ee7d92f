import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from nets import TinyGPT
from utils.optim import make_optimizer, update


def main():
    model = TinyGPT(block=256).cuda()
    optimizer = make_optimizer(model, 3e-4)
    loader = DataLoader(TokenWindows("train.bin", 256), 32, shuffle=True, num_workers=8)
    for epoch in range(5):
        for i, (idx, targets) in enumerate(loader):
            with torch.autocast("cuda", dtype=torch.bfloat16):
                _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()
            update(optimizer, model.parameters(), 1.0)
            if i % 100 == 0:
                print(epoch, i, loss.item())
        torch.save(model.state_dict(), "gpt.pt")


if __name__ == "__main__":
    main()
