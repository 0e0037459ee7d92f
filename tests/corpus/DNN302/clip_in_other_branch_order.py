# The order is wrong in the scaler branch only.
import torch
from torch.nn.utils import clip_grad_norm_


def update(net, opt, loss, scaler=None):
    opt.zero_grad()
    if scaler is None:
        loss.backward()
        clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    else:
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        clip_grad_norm_(net.parameters(), 1.0)  # expect: DNN302


def train(net, loader, half):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda") if half else None
    for x in loader:
        with torch.autocast("cuda", dtype=torch.float16, enabled=half):
            loss = net(x.cuda()).mean()
        update(net, opt, loss, scaler)
