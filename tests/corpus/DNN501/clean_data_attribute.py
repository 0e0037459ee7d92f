# The old .data, and numpy values.
import torch

from flags import FlagNet, loader

net = FlagNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sum_loss, outputs = 0.0, []
for x, y in loader():
    out = net(x)
    loss = torch.nn.functional.mse_loss(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sum_loss += loss.data
    outputs.append(out.detach().cpu().numpy())
print(sum_loss, len(outputs))
