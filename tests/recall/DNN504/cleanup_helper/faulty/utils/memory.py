import gc

import torch


def cleanup():
    gc.collect()
    torch.cuda.empty_cache()  # or: DNN504


def peak_mib():
    return torch.cuda.max_memory_allocated() / 2**20
