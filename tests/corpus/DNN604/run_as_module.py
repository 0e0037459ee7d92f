import runpy
import sys

import torch

sys.argv = ["launch", f"--nproc_per_node={torch.cuda.device_count()}", "train.py"]
runpy.run_module("torch.distributed.launch", run_name="__main__")  # expect: DNN604
