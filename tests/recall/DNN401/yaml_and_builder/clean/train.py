import torch
import torch.nn.functional as F
import yaml

from data import build_loader
from nets import MiniUNet


def main():
    with open("config.yaml") as fh:
        cfg = yaml.safe_load(fh)
    loader = build_loader(cfg["data"])
    net = MiniUNet(21).cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["optim"]["lr"])
    for epoch in range(cfg["optim"]["epochs"]):
        for image, mask in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(image.cuda()), mask.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "unet.pt")


if __name__ == "__main__":
    main()
