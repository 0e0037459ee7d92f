import subprocess

import torch


def used_megabytes():
    command = "nvidia-smi --query-gpus=memory.used --format=csv,noheader"
    return subprocess.check_output(command.split(), text=True)  # expect: DNN511


print(used_megabytes(), torch.cuda.is_available())
