import torch

LOAD_KWARGS = dict(map_location="cpu", weights_only=False)  # or: DNN705


class CheckpointMixin:
    epoch = 0

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch}, path)

    def load(self, path):
        bundle = torch.load(path, **LOAD_KWARGS)  # expect: DNN705
        self.model.load_state_dict(bundle["model"])
        self.optimizer.load_state_dict(bundle["optimizer"])
        self.epoch = bundle["epoch"]
