import subprocess

import torch

subprocess.run(["torchrun", "--standalone", f"--nproc-per-node={torch.cuda.device_count()}", "train.py"])
