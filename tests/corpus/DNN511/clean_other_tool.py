import subprocess

import torch

subprocess.run(["rocm-smi", "--showmeminfo", "vram"])
subprocess.run("gpustat --show-cmd > nvidia-smi.log", shell=True)
print(torch.__version__)
