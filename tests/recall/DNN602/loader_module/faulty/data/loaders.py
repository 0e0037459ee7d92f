from torch.utils.data import DataLoader

from .patches import PatchDataset


def train_loader(root, batch_size, rank, world_size, workers=8):
    dataset = PatchDataset(root, augment=True)
    return DataLoader(dataset, batch_size // world_size, shuffle=True, num_workers=workers, drop_last=True)  # expect: DNN602
