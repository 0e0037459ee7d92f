# Trainer class with the step in one method and the loop in another.
import torch


class Trainer:
    def __init__(self, model, loader, lr=1e-4):
        self.model = model.to("cuda")
        self.loader = loader
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def _optimise(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()  # expect: DNN301

    def fit(self, epochs):
        for _ in range(epochs):
            for low, high in self.loader:
                up = self.model(low.to("cuda"))
                self._optimise(torch.nn.functional.l1_loss(up, high.to("cuda")))
