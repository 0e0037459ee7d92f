import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import SegPairs
from models import create_model
from options import parse


def main():
    opt = parse()
    net = create_model(21, opt.gpu_ids)  # or: DNN601
    device = f"cuda:{opt.gpu_ids[0]}"
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-4, betas=(0.5, 0.999))
    for epoch in range(opt.epochs):
        net.train()
        for image, mask in DataLoader(SegPairs(opt.images, opt.masks), 16, shuffle=True, num_workers=8):
            optimizer.zero_grad()
            loss = F.cross_entropy(net(image.to(device)), mask.to(device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "latest.pth")


if __name__ == "__main__":
    main()
