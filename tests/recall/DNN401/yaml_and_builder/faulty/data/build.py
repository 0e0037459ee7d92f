from torch.utils.data import DataLoader

from .pairs import SegPairs


def build_loader(cfg):
    dataset = SegPairs(cfg["images"], cfg["masks"], size=cfg.get("size", 256))
    return DataLoader(  # expect: DNN401
        dataset,
        batch_size=cfg["batch_size"],
        shuffle=True,
        num_workers=cfg["workers"],  # or: DNN401
        pin_memory=True,
        drop_last=True,
    )
