# The functions from the new place.
from torch.ao.quantization import convert, prepare
from torch.ao.quantization.quantize_fx import prepare_fx


def both(net, mapping, example):
    return convert(prepare(net)), prepare_fx(net, mapping, example)
