# The import is inside the function, enabled is positional, the indent is two spaces.
import torch


def fit(net, batches, rate):
  from torch.cuda import amp

  opt = torch.optim.SGD(net.parameters(), lr=rate, momentum=0.9)
  for number, (x, y) in enumerate(batches):
    with amp.autocast(True):
      out = net(x.cuda())
      loss = torch.nn.functional.cross_entropy(out, y.cuda())
    opt.zero_grad()
    loss.backward()  # expect: DNN101
    torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
    opt.step()
    if number % 50 == 0:
      print(number, loss.item())
