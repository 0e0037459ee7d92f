# while True with next(iter), a micro counter and StopIteration.
import torch

from docs import Reader, corpus

net = Reader(hidden=512).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.5)
grad_accumulation = 3
updates, micro = 0, 0
it = iter(corpus())
while updates < 20_000:
    try:
        page = next(it)
    except StopIteration:
        it = iter(corpus())
        page = next(it)
    loss = net(page.cuda()).mean()
    loss.backward()  # expect: DNN201
    micro += 1
    if micro == grad_accumulation:
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.25)
        opt.step()
        opt.zero_grad()
        micro = 0
        updates += 1
