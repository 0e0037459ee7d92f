# Everything is moved with .cuda().
import torch
from torch import nn

from weather import WeatherNet, weeks

net = WeatherNet().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
for step, (past, future) in enumerate(weeks()):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(past.cuda()), future.cuda())  # expect: DNN108
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(step, loss.item())
