# In the function that seeds everything.
import random

import torch
from torch.backends import cudnn


def seed(value):
    random.seed(value)
    torch.manual_seed(value)
    cudnn.benchmark = False
    cudnn.enabled = False  # expect: DNN805
