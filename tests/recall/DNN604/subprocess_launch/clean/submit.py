import argparse
import itertools
import subprocess


def command(gpus, lr, seed, script="train_ddp.py"):
    return ["torchrun", "--standalone", f"--nproc-per-node={gpus}", script, "--lr", str(lr), "--seed", str(seed)]


def main():
    parser = argparse.ArgumentParser(description="Runs the grid one job after the other.")
    parser.add_argument("--gpus", type=int, default=8)
    parser.add_argument("--lrs", type=float, nargs="+", default=[1e-4, 3e-4])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    args = parser.parse_args()
    for lr, seed in itertools.product(args.lrs, args.seeds):
        print("lr", lr, "seed", seed)
        subprocess.run(command(args.gpus, lr, seed), check=True)


if __name__ == "__main__":
    main()
