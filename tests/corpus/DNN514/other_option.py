from torch.utils.checkpoint import checkpoint


def run(block, x):
    return checkpoint(block, x, preserve_rng_state=False)  # expect: DNN514
