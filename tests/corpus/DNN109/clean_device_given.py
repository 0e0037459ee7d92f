# Positional, keyword and variable device.
import torch

device_type = "cuda" if torch.cuda.is_available() else "cpu"


def forward(model, x, y):
    with torch.autocast("cuda"):
        a = model(x)
    with torch.amp.autocast(device_type="cuda", dtype=torch.bfloat16):
        b = model(y)
    with torch.autocast(device_type):
        return (a - b).norm()
