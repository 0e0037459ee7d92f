# The gradient norm that goes to the log is multiplied by the loss scale.
import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter


class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model.cuda(), loader
        self.opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cuda")
        self.writer = SummaryWriter()
        self.n = 0

    def train(self):
        for x, y in self.loader:
            self.opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(self.model(x.cuda()), y.cuda())
            self.scaler.scale(loss).backward()
            squares = [p.grad.pow(2).sum() for p in self.model.parameters() if p.grad is not None]  # expect: DNN103
            self.writer.add_scalar("grad_norm", torch.stack(squares).sum().sqrt().item(), self.n)
            self.scaler.step(self.opt)
            self.scaler.update()
            self.n += 1
