import subprocess

import torch

subprocess.run("nvidia-smi -pm 1 && /usr/bin/nvidia-smi --limit-gpu-memory 4096", shell=True)  # expect: DNN511
model = torch.nn.Linear(32, 10).cuda()
