import subprocess

import torch

subprocess.run("nvidia-smi mig -cgi 9,14 -C --some-option", shell=True)
print(torch.__version__)
