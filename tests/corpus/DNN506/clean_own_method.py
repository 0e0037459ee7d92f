# A class of the file with a zero_grad of its own.
import torch


class Buffers:
    def __init__(self, tensors):
        self.tensors = tensors

    def zero_grad(self, keep):
        for tensor in self.tensors:
            tensor.zero_()


def reset():
    buffers = Buffers([torch.zeros(3)])
    buffers.zero_grad(False)
