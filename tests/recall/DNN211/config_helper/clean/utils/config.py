import os
from dataclasses import dataclass


@dataclass
class TrainConfig:
    tokens_per_update: int = 524288
    block_size: int = 512
    micro_batch: int = 8
    lr: float = 6e-4
    accum: int = 0

    def resolve(self):
        world = int(os.environ.get("WORLD_SIZE", "1"))
        self.accum = self.tokens_per_update // (self.micro_batch * self.block_size * world)
        return self
