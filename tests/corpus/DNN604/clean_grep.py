import subprocess

import torch

subprocess.run("grep -rn torch.distributed.launch scripts/", shell=True)
print(torch.__version__)
