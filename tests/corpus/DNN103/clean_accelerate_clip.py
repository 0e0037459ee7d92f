# accelerator.clip_grad_norm_ unscales by itself.
import torch
from accelerate import Accelerator

from poses import PoseNet, PoseSet


def main():
    accelerator = Accelerator(mixed_precision="fp16")
    net = PoseNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    loader = torch.utils.data.DataLoader(PoseSet("train"), batch_size=32, shuffle=True, num_workers=8)
    net, opt, loader = accelerator.prepare(net, opt, loader)
    for image, joints in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(image), joints)
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()


main()
