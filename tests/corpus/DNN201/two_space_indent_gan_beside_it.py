# Two-space indent; a real window beside a loop that has none.
import torch
from torch import nn

WINDOW = 12


def warm_up(model, loader, opt):
  for x, y in loader:
    opt.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    opt.step()


def main_phase(model, loader, opt):
  opt.zero_grad()
  for i, (x, y) in enumerate(loader):
    nn.functional.mse_loss(model(x), y).backward()  # expect: DNN201
    if (i + 1) % WINDOW == 0 or (i + 1) == len(loader):
      nn.utils.clip_grad_norm_(model.parameters(), 1.0)
      opt.step()
      opt.zero_grad()


if __name__ == "__main__":
  from kelp import KelpNet, loader

  net = KelpNet()
  sgd = torch.optim.SGD(net.parameters(), lr=0.1)
  warm_up(net, loader("small"), sgd)
  main_phase(net, loader("full"), sgd)
