import os

import torch


class Checkpointer:
    def __init__(self, folder, **objects):
        self.folder, self.objects = folder, objects
        os.makedirs(folder, exist_ok=True)

    def save(self, epoch):
        state = {name: obj.state_dict() for name, obj in self.objects.items()}
        state["epoch"] = epoch
        torch.save(state, os.path.join(self.folder, "last.pt"))  # expect: DNN703
