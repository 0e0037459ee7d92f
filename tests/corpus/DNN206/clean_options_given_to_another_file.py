# The parsed options go as a whole to a function of another file.
import argparse

from engine import train


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum-steps", type=int, default=8)
    parser.add_argument("--lr", type=float, default=1e-4)
    args = parser.parse_args()
    train(args)


if __name__ == "__main__":
    main()
