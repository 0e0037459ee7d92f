from torch.utils.checkpoint import checkpoint


def run(block, x, *rest):
    return checkpoint(block, x, *rest)  # expect: DNN514
