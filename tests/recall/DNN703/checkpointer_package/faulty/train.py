import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import CreditTable
from nets import RiskNet
from utils.checkpoint import Checkpointer


def main():
    p = argparse.ArgumentParser()
    p.add_argument("csv")
    p.add_argument("--out", default="ck")
    args = p.parse_args()
    table = CreditTable(args.csv)
    net = RiskNet(table.x.shape[1]).cuda()
    opt = torch.optim.AdamW(net.parameters(), 1e-3)
    checkpointer = Checkpointer(args.out, model=net, optimizer=opt)
    for epoch in range(50):
        for x, y in DataLoader(table, 512, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(net(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        checkpointer.save(epoch)  # or: DNN703


if __name__ == "__main__":
    main()
