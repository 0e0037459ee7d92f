# The module for graphs, under a name of its own.
import torch.quantization.quantize_fx as fx  # expect: DNN806


class Exporter:
    def __init__(self, net, mapping):
        self.net = net
        self.mapping = mapping

    def run(self, example):
        prepared = fx.prepare_fx(self.net.eval(), self.mapping, (example,))
        prepared(example)
        return fx.convert_fx(prepared)
