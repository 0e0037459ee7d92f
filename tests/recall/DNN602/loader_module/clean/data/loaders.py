from torch.utils.data import DataLoader, Subset

from .patches import PatchDataset


def train_loader(root, batch_size, rank, world_size, workers=8):
    dataset = PatchDataset(root, augment=True)
    per_rank = len(dataset) // world_size
    mine = Subset(dataset, range(rank, per_rank * world_size, world_size))
    return DataLoader(mine, batch_size // world_size, shuffle=True, num_workers=workers, drop_last=True)
