import random

import numpy as np
import torch
import torch.backends.cudnn as cudnn


def prepare(seed=0):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    cudnn.benchmark = True
    return torch.device("cuda")
