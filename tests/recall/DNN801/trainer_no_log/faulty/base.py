import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.losses = []

    def on_epoch_end(self, epoch):
        pass

    def fit(self, loader, epochs):
        for epoch in range(epochs):  # or: DNN801
            self.losses.clear()
            for batch in loader:  # or: DNN801
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()  # expect: DNN801
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.losses.append(loss.item())
            self.on_epoch_end(epoch)
