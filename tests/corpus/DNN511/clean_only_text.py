import subprocess

import torch

print("nvidia-smi --gpu-memory-limit=8192 does not exist", torch.__version__)
subprocess.run(["echo", "nvidia-smi", "--gpu-memory-limit"])
