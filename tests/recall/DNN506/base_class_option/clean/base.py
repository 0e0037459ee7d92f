import torch


class Trainer:
    set_to_none = True

    def __init__(self, model, lr=1e-3):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def step(self, batch):
        self.optimizer.zero_grad(set_to_none=self.set_to_none)
        loss = self.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            mean = sum(self.step(b) for b in loader) / len(loader)
            print(epoch, mean)
            torch.save(self.model.state_dict(), "m.pt")
