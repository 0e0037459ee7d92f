# The user decides.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--weights-only", action="store_true")
args = parser.parse_args()
state = torch.load("model.pt", weights_only=args.weights_only)
