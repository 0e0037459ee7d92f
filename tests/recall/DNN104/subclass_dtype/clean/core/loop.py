import torch


class Loop:
    amp_dtype = torch.float16

    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.scaler = torch.amp.GradScaler("cuda", enabled=self.amp_dtype == torch.float16)

    def step_loss(self, batch):
        raise NotImplementedError

    def run_epoch(self, loader):
        self.model.train()
        for batch in loader:
            self.optimizer.zero_grad(set_to_none=True)
            with torch.autocast("cuda", dtype=self.amp_dtype):
                loss = self.step_loss(batch)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss.item()
