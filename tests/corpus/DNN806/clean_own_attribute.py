# An attribute with the name.
import torch


class Config:
    def __init__(self):
        self.quantization = "int8"


def describe(config):
    return f"{config.quantization} on {torch.__version__}"
