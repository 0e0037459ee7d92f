import argparse


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--images", default="imgs")
    p.add_argument("--masks", default="masks")
    p.add_argument("--gpu-ids", type=int, nargs="+", default=[0])
    p.add_argument("--epochs", type=int, default=50)
    return p.parse_args()
