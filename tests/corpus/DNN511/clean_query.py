import subprocess

import torch

out = subprocess.check_output(["nvidia-smi", "--query-gpu=memory.used,memory.total", "--format=csv,noheader,nounits"])
print(out.decode(), torch.__version__)
