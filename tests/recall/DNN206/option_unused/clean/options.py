import argparse


def get_args():
    p = argparse.ArgumentParser("patch training")
    p.add_argument("--root", required=True)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--grad-accum", type=int, default=4, help="micro-batches per optimizer step")
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--epochs", type=int, default=90)
    return p.parse_args()
