import subprocess
import sys

import torch

subprocess.run([sys.executable, "-m", "project.torch.distributed.launch", "train.py"])
print(torch.__version__)
