# Which precision the imported context sets is not visible in this file.
import torch

from project.precision import amp_context
from project.tasks import get_task


def train(name: str, updates: int):
    task = get_task(name)
    net = task.network().cuda()
    opt = torch.optim.Adam(net.parameters(), lr=task.lr)
    for _ in range(updates):
        opt.zero_grad()
        with amp_context():
            loss = task.loss(net, task.sample())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
