from torch.utils.checkpoint import checkpoint


def run(block, x):
    return checkpoint(block, x)  # expect: DNN514
