import os


class Launcher:
    def __init__(self, script, gpus):
        self.script, self.gpus = script, gpus

    def base_command(self):
        raise NotImplementedError

    def run(self, *args):
        line = " ".join([self.base_command(), self.script, *args])
        print(line)
        return os.system(line)


class LocalLauncher(Launcher):
    def base_command(self):
        return "python"


class MultiNodeLauncher(Launcher):
    def __init__(self, script, gpus, nodes, master):
        super().__init__(script, gpus)
        self.nodes, self.master = nodes, master

    def base_command(self):
        return f"torchrun --nnodes={self.nodes} --nproc-per-node={self.gpus} --rdzv-backend=c10d --rdzv-endpoint={self.master}"
