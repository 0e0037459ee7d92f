# Trainer class: the state has no scheduler.
import torch


class Trainer:
    def __init__(self, model, lr=0.1, epochs=100):
        self.model = model
        self.epochs = epochs
        self.epoch = 0
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)

    def save(self, path):
        state = {"epoch": self.epoch, "model": self.model.state_dict(), "opt": self.opt.state_dict()}  # expect: DNN702
        torch.save(state, path)

    def resume(self, path):
        state = torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict(state["model"])
        self.opt.load_state_dict(state["opt"])
        self.epoch = state["epoch"] + 1

    def fit(self, loader):
        while self.epoch < self.epochs:
            for x in loader:
                self.opt.zero_grad()
                self.model(x).mean().backward()
                self.opt.step()
            self.sched.step()
            self.save("last.pt")
            self.epoch += 1
