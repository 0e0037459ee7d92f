import subprocess

import torch


class Job:
    def __init__(self, script, gpus):
        self.script = script
        self.gpus = gpus

    def start(self):
        print(torch.__version__)
        return subprocess.Popen(
            ["python", "-m", "torch.distributed.launch", "--nproc_per_node", str(self.gpus), self.script]
        )  # expect: DNN604
