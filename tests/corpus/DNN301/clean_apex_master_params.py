# apex: the master parameters are clipped.
import torch
from apex import amp
from torch.nn.utils import clip_grad_norm_

from qa import Reader, loader

reader = Reader().cuda()
opt = torch.optim.Adam(reader.parameters(), lr=3e-5)
reader, opt = amp.initialize(reader, opt, opt_level="O1")
for batch in loader():
    loss = reader(**batch)
    with amp.scale_loss(loss, opt) as scaled_loss:
        scaled_loss.backward()
    clip_grad_norm_(amp.master_params(opt), 1.0)
    opt.step()
    opt.zero_grad()
