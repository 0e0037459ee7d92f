import os

import torch

os.system("accelerate launch --num_processes 8 train.py")
print(torch.__version__)
