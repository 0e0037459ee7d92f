import os

import torch


class Checkpointer:
    def __init__(self, folder, **objects):
        self.folder, self.objects = folder, objects
        os.makedirs(folder, exist_ok=True)

    def save(self, epoch):
        state = {name: obj.state_dict() for name, obj in self.objects.items()}
        state["epoch"] = epoch
        torch.save(state, os.path.join(self.folder, "last.pt"))

    def load(self, path):
        state = torch.load(path, map_location="cpu", weights_only=True)
        for name, obj in self.objects.items():
            obj.load_state_dict(state[name])
        return state["epoch"] + 1
