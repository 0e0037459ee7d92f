# The clip belongs to a small module that is not sharded.
import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def train(body, head, loader):
    body = FSDP(body.cuda())
    head = head.cuda()
    ob, oh = torch.optim.AdamW(body.parameters()), torch.optim.AdamW(head.parameters())
    for x in loader:
        ob.zero_grad()
        oh.zero_grad()
        head(body(x.cuda())).mean().backward()
        body.clip_grad_norm_(1.0)
        torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        ob.step()
        oh.step()
