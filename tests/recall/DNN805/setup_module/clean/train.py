import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import SegPairs
from nets import MiniUNet
from utils.setup import prepare


def main(images, masks):
    device = prepare(7)
    net = MiniUNet(8).to(device)
    opt = torch.optim.AdamW(net.parameters(), 1e-3)
    for epoch in range(30):
        net.train()
        for image, mask in DataLoader(SegPairs(images, masks), 8, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = F.cross_entropy(net(image.to(device)), mask.to(device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "unet.pt")


if __name__ == "__main__":
    main(*sys.argv[1:3])
