import subprocess
import sys

import torch


def launch(script, *arguments):
    world = torch.cuda.device_count()
    command = [sys.executable, "-m", "torch.distributed.launch", f"--nproc_per_node={world}", script, *arguments]
    return subprocess.call(command)  # expect: DNN604


launch("train.py", "--epochs", "10")
