from .quantize import static_int8
