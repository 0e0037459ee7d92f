# unscale_ is there, but one line too late.
import torch
from torch.cuda import amp

from graphs import MessageNet, molecules

net = MessageNet(hidden=128, layers=6).cuda()
optim = torch.optim.Adam(net.parameters(), lr=1e-3)
grad_scaler = amp.GradScaler(init_scale=2.0**14)
for epoch in range(50):
    for graph in molecules("train", batch_size=128):
        optim.zero_grad()
        with amp.autocast():
            energy = net(graph.to("cuda"))
            loss = torch.nn.functional.l1_loss(energy, graph.energy)
        grad_scaler.scale(loss).backward()

        torch.nn.utils.clip_grad_value_(net.parameters(), 10.0)  # expect: DNN103
        grad_scaler.unscale_(optim)
        grad_scaler.step(optim)
        grad_scaler.update()
