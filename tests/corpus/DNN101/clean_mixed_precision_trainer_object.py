# An object of another file owns forward precision, backward and step.
import torch

from diffusion.fp16 import MixedPrecisionTrainer
from diffusion.models import build_unet
from diffusion.data import stream

model = build_unet().cuda()
mp = MixedPrecisionTrainer(model=model, use_fp16=True, initial_lg_loss_scale=20)
opt = torch.optim.AdamW(mp.master_params, lr=1e-4)
for batch in stream():
    mp.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model.training_losses(batch.cuda()).mean()
    mp.backward(loss)
    mp.optimize(opt)
