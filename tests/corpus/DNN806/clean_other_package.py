# A package of the project.
from project import quantization
from project.torch_tools import torch as wrapped

quantization.prepare("net")
wrapped.quantization.prepare("net")
