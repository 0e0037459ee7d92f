# In a method of a trainer.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model

    def restore(self, path):
        self.model.load_state_dict(torch.load(path, weights_only=False))  # expect: DNN705
