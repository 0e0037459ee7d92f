# update() went into the branch that logs.
import torch
from torch import nn


class Learner:
    def __init__(self, net, log_every=25):
        self.net = net.cuda()
        self.log_every = log_every
        self.opt = torch.optim.AdamW(net.parameters())
        self.scaler = torch.amp.GradScaler()

    def fit(self, loader):
        for i, (x, y) in enumerate(loader):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(self.net(x.cuda()), y.cuda())
            self.opt.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.opt)  # expect: DNN102
            if i % self.log_every == 0:
                self.scaler.update()
                print(loss.item())
