import os

import torch
from torch import nn
from torch.ao.quantization import quantize_dynamic


class Exporter:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def export(self, model, name):
        path = os.path.join(self.folder, name)
        torch.save(model.state_dict(), path)
        return os.path.getsize(path)


class DynamicExporter(Exporter):
    def export(self, model, name):
        small = quantize_dynamic(model.cpu().eval(), {nn.Linear}, dtype=torch.qint8)
        return super().export(small, name)
