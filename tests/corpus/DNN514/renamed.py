from torch.utils.checkpoint import checkpoint as cp


def run(block, x):
    return cp(block, x)  # expect: DNN514
