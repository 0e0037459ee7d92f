import subprocess

import torch

FIELDS = ("name", "memory.total")
out = subprocess.run(f"nvidia-smi --query-gpu={','.join(FIELDS)} --format=csv -l 5", shell=True)
print(torch.__version__)
