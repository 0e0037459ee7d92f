from dataclasses import dataclass

import torch


@dataclass
class TrainConfig:
    tokens_per_update: int = 524288
    block_size: int = 512
    micro_batch: int = 8
    lr: float = 6e-4
    accum: int = 0

    def resolve(self):
        gpus = torch.cuda.device_count()  # or: DNN211
        self.accum = self.tokens_per_update // (self.micro_batch * self.block_size * gpus)  # expect: DNN211
        return self
