# FSDP's own method.
import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(net, loader):
    model = FSDP(net.cuda())
    opt = torch.optim.AdamW(model.parameters())
    for batch in loader:
        opt.zero_grad()
        model(batch.cuda()).backward()
        model.clip_grad_norm_(1.0)
        opt.step()
