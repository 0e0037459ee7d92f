# The stream never ends: there is no last window.
import itertools

import torch

from talks import Net, TalkSet

loader = torch.utils.data.DataLoader(TalkSet(), batch_size=8, shuffle=True, num_workers=8)


def cycle(dl):
    while True:
        for item in dl:
            yield item


net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
stream = cycle(loader)
for i in itertools.count():
    (net(next(stream)) / 4).backward()
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
    if i >= 400_000:
        break
