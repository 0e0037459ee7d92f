from dataclasses import dataclass


@dataclass
class TrainConfig:
    data: str = "train.bin"
    block: int = 256
    batch_size: int = 32
    lr: float = 1e-3
    max_grad_norm: float = 1.0
    epochs: int = 10
