import torch
from accelerate import Accelerator


def main(model, loader):
    print(torch.cuda.device_count())
    accelerator = Accelerator()
    accum = 64 // accelerator.num_processes
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for i, x in enumerate(loader):
        accelerator.backward(model(x).mean() / accum)
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
