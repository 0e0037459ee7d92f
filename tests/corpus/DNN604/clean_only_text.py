import torch

print("python -m torch.distributed.launch is deprecated", torch.__version__)
