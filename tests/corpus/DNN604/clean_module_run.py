import subprocess
import sys

import torch

subprocess.run([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=8", "train.py"])
print(torch.__version__)
