import torch
from accelerate import Accelerator


def main(model, loader, batch=4):
    steps = 128 // (batch * torch.cuda.device_count())  # expect: DNN211
    accelerator = Accelerator(gradient_accumulation_steps=steps)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x in loader:
        with accelerator.accumulate(model):
            accelerator.backward(model(x).mean())
            optimizer.step()
            optimizer.zero_grad()
