from contextlib import nullcontext

import torch

PTDTYPE = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class Engine:
    def __init__(self, model, optimizer, cfg):
        self.model, self.optimizer, self.cfg = model, optimizer, cfg
        dtype = PTDTYPE[cfg.dtype]
        self.ctx = nullcontext() if cfg.dtype == "float32" else torch.amp.autocast(device_type="cuda", dtype=dtype)
        self.scaler = torch.amp.GradScaler("cuda", enabled=cfg.dtype == "float16")

    def run_step(self, idx, targets):
        with self.ctx:
            _, loss = self.model(idx, targets)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.grad_clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.detach()
