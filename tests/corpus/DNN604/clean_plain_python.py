import subprocess
import sys

import torch

subprocess.run([sys.executable, "train.py", "--launcher", "torch.distributed.launch"])
print(torch.__version__)
