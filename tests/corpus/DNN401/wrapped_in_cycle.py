# The loader is made inside a call and consumed by next().
import torch
from torch.utils import data

from galaxies import GalaxySet, Denoiser


def cycle(loader):
    while True:
        yield from loader


stream = cycle(data.DataLoader(GalaxySet(128), batch_size=32, shuffle=True, num_workers=0))  # expect: DNN401
model = Denoiser().cuda()
opt = torch.optim.Adam(model.parameters(), lr=8e-5, betas=(0.9, 0.99))
for step in range(700_000):
    opt.zero_grad()
    loss = model(next(stream).cuda())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
