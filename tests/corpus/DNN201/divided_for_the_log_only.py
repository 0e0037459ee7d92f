# The window divides the number that is logged, not the loss that is differentiated.
import torch
from torch import nn

accum_iter = 5
model = nn.Sequential(nn.Linear(60, 240), nn.ReLU(), nn.Linear(240, 3)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.03)

from sensors import windows  # noqa: E402

running = 0.0
for it, (signal, state) in enumerate(windows()):
    loss = nn.functional.cross_entropy(model(signal.cuda()), state.cuda())
    running += loss.item() / accum_iter
    loss.backward()  # expect: DNN201
    if (it + 1) % accum_iter == 0:
        optimizer.step()
        optimizer.zero_grad()
        print(it, running)
        running = 0.0
