from dataclasses import dataclass


@dataclass
class RunConfig:
    data: str = "data/train.bin"
    block_size: int = 512
    batch_size: int = 16
    lr: float = 3e-4
    grad_clip: float = 1.0
    max_iters: int = 20000
    dtype: str = "float16"
