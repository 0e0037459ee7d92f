import json

import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def export(self, prefix):
        torch.save(self.model.state_dict(), prefix + ".pt")
        with open(prefix + ".json", "w") as fh:
            json.dump({"class": type(self.model).__name__}, fh)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            print(epoch, loss.item())
        self.export("final")
