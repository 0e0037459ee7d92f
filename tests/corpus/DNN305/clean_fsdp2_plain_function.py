# FSDP2 shards with DTensor, which the plain function handles.
import torch
from torch.distributed.fsdp import fully_shard


def train(net, loader):
    for layer in net.layers:
        fully_shard(layer)
    fully_shard(net)
    opt = torch.optim.AdamW(net.parameters())
    for batch in loader:
        opt.zero_grad()
        net(batch.cuda()).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
