import torch
from torch.nn import DataParallel  # or: DNN601


class BaseTrainer:
    def __init__(self, model, lr=1e-3):
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.model = self.parallelise(model.cuda())

    def parallelise(self, model):
        return DataParallel(model)  # expect: DNN601

    def backward(self, loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                self.backward(loss)
                self.optimizer.step()
            print(epoch, loss.item())
