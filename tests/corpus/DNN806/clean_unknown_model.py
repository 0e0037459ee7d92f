# Which layers a model of timm has is not known here.
import timm
from torch.ao.quantization import quantize_dynamic

small = quantize_dynamic(timm.create_model("convnext_tiny").eval())
