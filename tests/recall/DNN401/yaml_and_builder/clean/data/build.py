from torch.utils.data import DataLoader

from .pairs import SegPairs


def build_loader(cfg):
    dataset = SegPairs(cfg["images"], cfg["masks"], size=cfg.get("size", 256))
    return DataLoader(
        dataset,
        batch_size=cfg["batch_size"],
        shuffle=True,
        num_workers=cfg["workers"],
        pin_memory=True,
        drop_last=True,
    )
