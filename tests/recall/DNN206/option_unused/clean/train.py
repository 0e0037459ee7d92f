import torch
from torch.utils.data import DataLoader

from data import PatchDataset
from engine import train_epoch
from nets import SmallCNN
from options import get_args


def main():
    args = get_args()
    net = SmallCNN(1000).cuda()
    optimizer = torch.optim.SGD(net.parameters(), args.lr, momentum=0.9)
    loader = DataLoader(PatchDataset(args.root), args.batch_size, shuffle=True, num_workers=8)
    for epoch in range(args.epochs):
        loss = train_epoch(net, loader, optimizer, args.grad_accum)
        print(epoch, loss)
        torch.save(net.state_dict(), "net.pt")


if __name__ == "__main__":
    main()
