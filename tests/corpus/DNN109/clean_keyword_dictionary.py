# The device is in the keyword dictionary, or the dictionary is unknown.
import torch

AMP = dict(device_type="cuda", dtype=torch.bfloat16)


def loss_of(model, batch, **autocast_options):
    with torch.autocast(**AMP):
        first = model(batch)
    with torch.autocast(**autocast_options):
        return first.mean() + model(batch).mean()
