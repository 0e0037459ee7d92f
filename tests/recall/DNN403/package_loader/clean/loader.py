from torch.utils.data import DataLoader

from dataset import PatchDataset


def build(args):
    train = PatchDataset(args.root, augment=True)
    return DataLoader(
        train,
        batch_size=args.batch_size,
        shuffle=True,
        num_workers=args.workers,
        pin_memory=True,
        persistent_workers=args.workers > 0,
    )
