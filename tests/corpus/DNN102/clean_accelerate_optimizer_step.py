# accelerate: the prepared optimizer's step goes through the hidden scaler.
import torch
from accelerate import Accelerator

from lenses import LensNet, loader as make_loader


def main():
    accelerator = Accelerator(mixed_precision="fp16")
    net = LensNet()
    net, opt, loader = accelerator.prepare(net, torch.optim.Adam(net.parameters()), make_loader())
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        accelerator.backward(loss)
        opt.step()
        if accelerator.scaler is not None:
            print(accelerator.scaler.get_scale())


main()
