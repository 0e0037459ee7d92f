from .unet import MiniUNet


def create_model(classes, gpu_ids):
    net = MiniUNet(classes)
    net.to(f"cuda:{gpu_ids[0]}")
    return net
