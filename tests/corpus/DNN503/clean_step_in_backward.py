# One optimizer per parameter steps and clears in a hook of the backward.
import torch

from giants import Net, stream

net = Net().cuda()
optimizers = {p: torch.optim.AdamW([p], lr=1e-4, foreach=False) for p in net.parameters()}


def step_now(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for p in net.parameters():
    p.register_post_accumulate_grad_hook(step_now)
for ids in stream():
    loss = net(ids.cuda())
    loss.backward()
    print(loss.item())
