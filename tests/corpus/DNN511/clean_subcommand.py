import subprocess

import torch

subprocess.Popen(["nvidia-smi", "dmon", "-s", "um", "--no-header"])
print(torch.__version__)
