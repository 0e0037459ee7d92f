# enabled= is a property of the settings that looks at the dtype.
from dataclasses import dataclass

import torch


@dataclass
class Precision:
    name: str = "bf16"

    @property
    def dtype(self):
        return {"bf16": torch.bfloat16, "fp16": torch.float16}[self.name]

    @property
    def needs_scaler(self):
        return self.name == "fp16"


def train(net, loader, precision=Precision()):
    opt = torch.optim.AdamW(net.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=precision.needs_scaler)
    for x in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=precision.dtype):
            loss = net(x.cuda()).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
