import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def check(self, loss):
        return True

    def fit(self, loader, epochs):
        for epoch in range(epochs):  # or: DNN803
            for batch in loader:  # or: DNN803
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                if not self.check(loss):
                    continue
                loss.backward()  # expect: DNN803
                self.optimizer.step()  # or: DNN803
            print(epoch, loss.item())
            torch.save(self.model.state_dict(), "m.pt")
