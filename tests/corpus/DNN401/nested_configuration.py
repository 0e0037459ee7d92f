# A nested configuration dictionary in the file.
import torch
from torch.utils.data import DataLoader

CONFIG = {
    "model": {"width": 64},
    "data": {"root": "beats", "batch_size": 64, "num_workers": 5},
    "optim": {"lr": 3e-4, "epochs": 30},
}


def main(cfg):
    from ecg import BeatNet, BeatSet

    loader = DataLoader(  # expect: DNN401
        BeatSet(cfg["data"]["root"]),
        batch_size=cfg["data"]["batch_size"],
        shuffle=True,
        num_workers=cfg["data"]["num_workers"],
    )
    net = BeatNet(cfg["model"]["width"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["optim"]["lr"])
    for _ in range(cfg["optim"]["epochs"]):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()


main(CONFIG)
