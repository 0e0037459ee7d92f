import subprocess

import torch

subprocess.run("nvidia-smi -L > gpus.txt 2>&1", shell=True)
print(torch.__version__)
