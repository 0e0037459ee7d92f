import sys

from launchers import LocalLauncher, MultiNodeLauncher

if __name__ == "__main__":
    config = sys.argv[1]
    if len(sys.argv) > 2:
        launcher = MultiNodeLauncher("pretrain.py", gpus=8, nodes=int(sys.argv[2]), master=sys.argv[3])
    else:
        launcher = LocalLauncher("pretrain.py", gpus=1)
    sys.exit(launcher.run("--config", config) >> 8)
