import subprocess

import torch

subprocess.run("nvidia-smi -q -d MEMORY | grep --max-count=1 Used", shell=True)
print(torch.__version__)
