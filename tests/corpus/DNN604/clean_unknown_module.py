import subprocess
import sys

import torch


def launch(module):
    subprocess.run([sys.executable, "-m", module, "train.py"])
    print(torch.__version__)
