import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PatchDataset
from models import DeepEncoder


def main(root):
    net = DeepEncoder(100).cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(30):
        net.train()
        for x, y in DataLoader(PatchDataset(root), 64, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "enc.pt")


if __name__ == "__main__":
    main(sys.argv[1])
