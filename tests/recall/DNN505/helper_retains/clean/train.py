import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import SegPairs
from nets import MiniUNet
from utils.optim import backward, step


def edges(x):
    return (x[..., 1:, :] - x[..., :-1, :]).abs().mean()


def main(images, masks):
    net = MiniUNet(3).cuda()
    opt = torch.optim.AdamW(net.parameters(), 1e-3)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(40):
        for image, mask in DataLoader(SegPairs(images, masks), 8, shuffle=True, num_workers=8):
            with torch.autocast("cuda", dtype=torch.float16):
                logits = net(image.cuda())
                main_loss = F.cross_entropy(logits, mask.cuda())
                edge_loss = 0.1 * edges(logits.softmax(1))
            backward(main_loss, edge_loss, scaler)
            step(opt, scaler, net.parameters())
        print(epoch, main_loss.item())
        torch.save(net.state_dict(), "seg.pt")


if __name__ == "__main__":
    main(*sys.argv[1:3])
