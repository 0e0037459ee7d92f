import shlex
import subprocess
import sys


class Launcher:
    setup_commands = ()

    def run(self, script, *args):
        for command in self.setup_commands:
            subprocess.check_call(shlex.split(command))
        return subprocess.call([sys.executable, script, *args])


class SharedGpuLauncher(Launcher):
    """For the machines on which two people share a card."""

    setup_commands = ("nvidia-smi --gpu-memory-limit 12288",)  # expect: DNN511


if __name__ == "__main__":
    raise SystemExit(SharedGpuLauncher().run("fit.py", *sys.argv[1:]))
