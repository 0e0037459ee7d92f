# The decorator covers the whole step, with the backward.
import torch


class Trainer:
    def __init__(self, model, loader):
        self.model = model.to("cuda")
        self.loader = loader
        self.opt = torch.optim.Adam(model.parameters())

    @torch.autocast("cuda", dtype=torch.bfloat16)
    def step(self, batch):
        self.opt.zero_grad()
        loss = self.model(batch.to("cuda")).square().mean()
        loss.backward()  # expect: DNN106
        self.opt.step()
        return loss.detach()

    def fit(self, epochs):
        for _ in range(epochs):
            for batch in self.loader:
                self.step(batch)
