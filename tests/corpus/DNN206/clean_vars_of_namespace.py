# All options go on as keyword arguments.
import argparse

from engine import run

ap = argparse.ArgumentParser()
ap.add_argument("--gradient-accumulation", type=int, default=8)
ap.add_argument("--lr", type=float, default=1e-4)

if __name__ == "__main__":
    run(**vars(ap.parse_args()))
