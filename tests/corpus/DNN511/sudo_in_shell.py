import subprocess

import torch


class Machine:
    def __init__(self, gpu):
        self.gpu = gpu

    def prepare(self):
        subprocess.check_call(f"sudo nvidia-smi -i {self.gpu} --set-max-memory 8000", shell=True)  # expect: DNN511
        torch.cuda.set_device(self.gpu)
