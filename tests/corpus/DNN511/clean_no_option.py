import subprocess

import torch

print(subprocess.getoutput("nvidia-smi"), torch.__version__)
