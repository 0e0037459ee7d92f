# In the constructor of a trainer.
import torch.backends.cudnn as cudnn


class Trainer:
    def __init__(self, model):
        self.model = model
        cudnn.enabled = False  # expect: DNN805
