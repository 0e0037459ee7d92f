# Two optimizers; the clip of the second network has no unscale_.
import torch
from torch.nn.utils import clip_grad_norm_


def train(a, b, loader):
    oa, ob = torch.optim.Adam(a.parameters()), torch.optim.Adam(b.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        oa.zero_grad()
        ob.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.mse_loss(b(a(x.cuda())), y.cuda())
        scaler.scale(loss).backward()
        scaler.unscale_(oa)
        clip_grad_norm_(a.parameters(), 1.0)

        print(loss.item())

        clip_grad_norm_(b.parameters(), 1.0)  # expect: DNN103
        scaler.step(oa)
        scaler.step(ob)
        scaler.update()
