import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import SegPairs
from evaluate import evaluate
from nets import MiniUNet


def main(images, masks, val_images, val_masks):
    net = MiniUNet(2).cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    train_loader = DataLoader(SegPairs(images, masks), 8, shuffle=True, num_workers=8)
    val_loader = DataLoader(SegPairs(val_images, val_masks), 8, num_workers=8)
    for epoch in range(1, 41):
        net.train()
        for image, mask in train_loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(image.cuda()), mask.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        with torch.inference_mode():
            val = evaluate(net, val_loader, "cuda")
        print(epoch, loss.item(), val)
        torch.save(net.state_dict(), f"e{epoch}.pt")


if __name__ == "__main__":
    main(*sys.argv[1:5])
