# The option's default is bf16 and its value never reaches the scaler.
import argparse

import torch

p = argparse.ArgumentParser()
p.add_argument("--dtype", choices=["bf16", "fp32"], default="bf16")
a = p.parse_args()
dtypes = {"bf16": torch.bfloat16, "fp32": torch.float32}

from speakers import Embedder, utterances  # noqa: E402

net = Embedder().cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler()  # expect: DNN104
for audio, speaker in utterances():
    opt.zero_grad()
    with torch.autocast("cuda", dtype=dtypes[a.dtype]):
        loss = net.margin_loss(audio.cuda(), speaker.cuda())
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
