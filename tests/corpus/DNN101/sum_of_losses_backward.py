# Loss parts come from a module called under float16; backward is called on their sum.
import torch

from kelp import KelpNet, loader

net = KelpNet().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
for epoch in range(5):
    for batch in loader():
        with torch.amp.autocast("cuda", torch.float16):
            parts = net(batch)
        total = sum(parts.values())
        opt.zero_grad()
        total.backward()  # expect: DNN101
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
