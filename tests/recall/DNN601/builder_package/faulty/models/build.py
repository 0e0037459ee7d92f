import torch

from .unet import MiniUNet


def create_model(classes, gpu_ids):
    net = MiniUNet(classes)
    net.to(f"cuda:{gpu_ids[0]}")
    return torch.nn.DataParallel(net, device_ids=gpu_ids)  # expect: DNN601
