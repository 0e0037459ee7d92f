# Imported from torch.nn.parallel, in a trainer class.
import torch
from torch.nn.parallel import DataParallel


class Trainer:
    def __init__(self, net, gpu_ids):
        self.device = torch.device(f"cuda:{gpu_ids[0]}")
        self.net = DataParallel(net.to(self.device), device_ids=gpu_ids)  # expect: DNN601
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-4)

    def fit(self, loader):
        for lq, gt in loader:
            self.opt.zero_grad()
            loss = (self.net(lq.to(self.device)) - gt.to(self.device)).abs().mean()
            loss.backward()
            self.opt.step()
