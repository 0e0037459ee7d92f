# In the step method of a trainer.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters())

    def training_step(self, batch):
        loss = self.model(batch)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        del batch
        torch.cuda.empty_cache()  # expect: DNN504
        return loss.item()

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for batch in loader:
                self.training_step(batch.cuda())
