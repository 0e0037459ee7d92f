import torch


class Trainer:
    def __init__(self, model, lr=1e-3):
        self.model = model.cuda()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr)

    def report(self, epoch, loss):
        print(f"epoch {epoch} loss {loss:.4f}")

    def fit(self, loader, epochs):
        for epoch in range(epochs):  # expect: DNN802
            for batch in loader:  # or: DNN802
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()  # or: DNN802
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            self.report(epoch, loss.item())
            torch.save(self.model.state_dict(), "m.pt")
