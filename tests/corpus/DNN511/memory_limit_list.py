import subprocess

import torch


def limit_memory(gpu, megabytes):
    subprocess.run(["nvidia-smi", "-i", str(gpu), "--memory-limit", str(megabytes)], check=True)  # expect: DNN511


limit_memory(0, 8192)
model = torch.nn.Linear(32, 10).cuda()
