# Hooks clamp every gradient as it is made.
import torch
from torch import nn

model = nn.LSTM(32, 256, num_layers=2).cuda()
for p in model.parameters():
    p.register_hook(lambda grad: grad.clamp(-0.5, 0.5))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

from handwriting import strokes  # noqa: E402

for pen in strokes():
    out, _ = model(pen.cuda()[:-1])
    loss = nn.functional.mse_loss(out[..., :3], pen.cuda()[1:, :, :3])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
