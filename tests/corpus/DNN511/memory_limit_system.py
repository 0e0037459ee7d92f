import os

import torch


def main():
    os.system("nvidia-smi --gpu-memory-limit=8192")  # expect: DNN511
    model = torch.nn.Linear(32, 10).cuda()
    print(model(torch.randn(4, 32).cuda()).sum())


main()
