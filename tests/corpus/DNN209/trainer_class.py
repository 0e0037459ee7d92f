import torch


class Trainer:
    def __init__(self, model, accum=8):
        self.model = model
        self.accum = accum
        self.criterion = torch.nn.NLLLoss(ignore_index=model.padding_idx)
        self.optimizer = torch.optim.AdamW(model.parameters())

    def loss(self, tokens, labels):
        return self.criterion(self.model(tokens).flatten(0, 1), labels.flatten())

    def fit(self, loader):
        for step, (tokens, labels) in enumerate(loader):
            loss = self.loss(tokens, labels) / self.accum
            loss.backward()  # expect: DNN209
            if (step + 1) % self.accum == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
