import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PatchDataset
from nets import SmallCNN
from utils.optim import train_step


def main(root):
    net = SmallCNN(1000, width=256).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    loader = DataLoader(PatchDataset(root, True), 128, shuffle=True, num_workers=8)
    for epoch in range(90):
        net.train()
        for x, y in loader:
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            norm = train_step(net, optimizer, loss)
        print(f"{epoch} loss {loss.item():.3f} norm {norm.item():.3f}")
        torch.save(net.state_dict(), "net.pt")


if __name__ == "__main__":
    main(sys.argv[1])
