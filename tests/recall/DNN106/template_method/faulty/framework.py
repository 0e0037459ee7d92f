import torch


class Experiment:
    dtype = torch.bfloat16

    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.history = []

    def run_step(self, batch):
        raise NotImplementedError

    def train(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                with torch.autocast("cuda", dtype=self.dtype):  # or: DNN106
                    loss = self.run_step(batch)  # or: DNN106
                self.history.append(loss.item())
            print(epoch, sum(self.history[-100:]) / len(self.history[-100:]))
        torch.save(self.model.state_dict(), "experiment.pt")
