import torch


class Resumable:
    epoch = 0

    def state_dict(self):
        return {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}  # or: DNN702

    def load_state_dict(self, state):
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])

    def save(self, path):
        torch.save(self.state_dict(), path)  # expect: DNN702

    def resume(self, path):
        self.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
