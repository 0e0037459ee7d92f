import subprocess

import torch

subprocess.run(
    "python3 -u -m torch.distributed.launch --nproc_per_node=8 --use_env main.py", shell=True
)  # expect: DNN604
print(torch.__version__)
