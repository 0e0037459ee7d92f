# while True with next(); the dtype string is turned into a torch dtype by a conditional expression.
import torch
from torch import nn

PRECISION = "16"
amp_dtype = torch.float16 if PRECISION == "16" else torch.bfloat16

from genes import Encoder, reads  # noqa: E402

enc = Encoder(vocab=6).cuda()
opt = torch.optim.AdamW(enc.parameters(), lr=1e-4)
source = iter(reads())
step = 0
while True:
    bases = next(source).cuda()
    mask = torch.rand(bases.shape, device="cuda") < 0.15
    with torch.autocast(device_type="cuda", dtype=amp_dtype):
        logits = enc(bases.masked_fill(mask, 5))
        loss = nn.functional.cross_entropy(logits[mask], bases[mask])
    opt.zero_grad(set_to_none=True)
    loss.backward()  # expect: DNN101
    nn.utils.clip_grad_norm_(enc.parameters(), 1.0)
    opt.step()
    step += 1
    if step >= 50_000:
        break
