# An option with its own default.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cudnn", type=int, default=1)
args = parser.parse_args()
torch.backends.cudnn.enabled = bool(args.cudnn)
