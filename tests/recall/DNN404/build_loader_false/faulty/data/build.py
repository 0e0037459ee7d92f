from torch.utils.data import DataLoader

from .table import CreditTable


def build_loaders(root, batch_size=512, workers=8):
    loaders = {}
    for split in ("train", "test"):
        dataset = CreditTable(f"{root}/{split}.csv")
        loaders[split] = DataLoader(dataset, batch_size, shuffle=False, num_workers=workers)  # expect: DNN404
    return loaders
