# A global counter; the exponential mean of the loss has factors, the loss has none.
import torch
from torch import nn

ACCUM = 2
micro_step = 0


def handle(net, opt, x, y, state):
    global micro_step
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()  # expect: DNN201
    state["ema"] = 0.9 * state["ema"] + 0.1 * loss.item()
    micro_step += 1
    if micro_step % ACCUM == 0:
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad()


def main(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    state = {"ema": 0.0}
    for x, y in loader:
        handle(net, opt, x, y, state)
