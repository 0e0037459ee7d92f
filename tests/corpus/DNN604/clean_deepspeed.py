import os

import torch

os.system("deepspeed --num_gpus 8 train.py --deepspeed ds.json")
print(torch.__version__)
