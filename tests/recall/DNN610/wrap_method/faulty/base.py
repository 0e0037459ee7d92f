import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class DdpTrainer:
    def __init__(self, net, local_rank, lr=1e-3):
        self.local_rank = local_rank
        self.net = self.wrap(net.cuda())
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=lr)

    def wrap(self, net):
        return DDP(net, device_ids=[self.local_rank], static_graph=True)  # expect: DNN610

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.optimizer.step()
            if self.local_rank == 0:
                print(epoch, loss.item())
            if dist.get_rank() == 0:
                torch.save(self.net.module.state_dict(), "net.pt")
