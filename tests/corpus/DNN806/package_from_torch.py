# The package by its old parent.
import argparse

from torch import quantization  # expect: DNN806

parser = argparse.ArgumentParser()
parser.add_argument("--backend", default="fbgemm")


def configure(net, args):
    net.qconfig = quantization.get_default_qat_qconfig(args.backend)
    return quantization.prepare_qat(net.train())
