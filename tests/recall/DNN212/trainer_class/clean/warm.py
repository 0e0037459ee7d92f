import torch


class WarmTrainer:
    def __init__(self, model, lr, warmup=500):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: min(1.0, (s + 1) / warmup))
        self.scaler = torch.amp.GradScaler("cuda", init_scale=2.0**14)

    def loss(self, batch):
        raise NotImplementedError

    def optimizer_step(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        old_scale = self.scaler.get_scale()
        self.scaler.update()
        skipped = self.scaler.get_scale() < old_scale
        if not skipped:
            self.scheduler.step()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self.optimizer.zero_grad(set_to_none=True)
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = self.loss(batch)
                self.scaler.scale(loss).backward()
                self.optimizer_step()
            print(epoch, loss.item())
        torch.save(self.model.state_dict(), "warm.pt")
