from dataclasses import dataclass


@dataclass
class Config:
    root: str = "patches"
    lr: float = 0.1
    weight_decay: float = 0.05
    grad_accum: int = 4
    epochs: int = 100
    batch_size: int = 64
