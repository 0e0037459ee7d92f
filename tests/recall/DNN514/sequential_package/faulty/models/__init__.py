from .encoder import DeepEncoder
