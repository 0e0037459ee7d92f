import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from compress import sparsify, sparsity
from data import PatchDataset
from nets import SmallCNN


def main(root):
    net = SmallCNN(100).cuda()
    loader = DataLoader(PatchDataset(root), 128, shuffle=True, num_workers=8)
    for rounds in range(3):
        sparsify(net, 0.3)  # or: DNN807
        opt = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
        for epoch in range(10):
            for x, y in loader:
                opt.zero_grad()
                loss = F.cross_entropy(net(x.cuda()), y.cuda())
                loss.backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                opt.step()
            print(rounds, epoch, loss.item(), sparsity(net))
    torch.save(net.state_dict(), "sparse.pt")


if __name__ == "__main__":
    main(sys.argv[1])
