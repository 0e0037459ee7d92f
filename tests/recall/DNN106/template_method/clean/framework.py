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
                self.optimizer.zero_grad(set_to_none=True)
                with torch.autocast("cuda", dtype=self.dtype):
                    loss = self.run_step(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.history.append(loss.item())
            print(epoch, sum(self.history[-100:]) / len(self.history[-100:]))
        torch.save(self.model.state_dict(), "experiment.pt")
