# On CUDA only.
import torch


def main():
    if torch.cuda.is_available():
        torch.backends.cudnn.enabled = False  # expect: DNN805
        return torch.device("cuda")
    return torch.device("cpu")
