import subprocess

import torch


def show(option):
    subprocess.run(["nvidia-smi", option])
    subprocess.run(f"nvidia-smi {option}", shell=True)
    print(torch.__version__)
