from torch.utils.data import BatchSampler, DataLoader
from torch.utils.data.distributed import DistributedSampler

from tokens import TokenWindows


def build(path, block, batch_size):
    ds = TokenWindows(path, block)
    sampler = DistributedSampler(ds, shuffle=True)  # or: DNN603
    batches = BatchSampler(sampler, batch_size, drop_last=True)
    return DataLoader(ds, batch_sampler=batches, num_workers=8, pin_memory=True)  # or: DNN603
