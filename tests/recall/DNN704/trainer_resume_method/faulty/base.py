import torch


class Trainer:
    device = torch.device("cuda")

    def __init__(self, model):
        self.model = model.to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), 1e-3)
        self.epoch = 0

    def resume(self, path):
        checkpoint = torch.load(path, weights_only=True)  # expect: DNN704
        self.model.load_state_dict(checkpoint["model"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        self.epoch = checkpoint["epoch"]

    def fit(self, loader, epochs):
        while self.epoch < epochs:
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            self.epoch += 1
            print(self.epoch, loss.item())
            torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch}, "t.pt")
