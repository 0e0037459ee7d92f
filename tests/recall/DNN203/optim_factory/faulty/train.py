import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from config import Config
from data import PatchDataset
from nets import SmallCNN
from utils.optim import create_optimizer


def main(cfg):
    net = SmallCNN(100).cuda()
    optimizer = create_optimizer(cfg, net)
    loader = DataLoader(PatchDataset(cfg.root, True), cfg.batch_size, shuffle=True, num_workers=8)
    for epoch in range(cfg.epochs):
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            if (i + 1) % cfg.grad_accum == 0 or i + 1 == len(loader):
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "last.pt")


if __name__ == "__main__":
    main(Config())
