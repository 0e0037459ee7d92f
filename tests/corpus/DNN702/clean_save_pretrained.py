# The weights for users: save_pretrained at the end.
import torch
from transformers import AutoModelForMaskedLM

from kelp import masked_batches

model = AutoModelForMaskedLM.from_pretrained("bert-base-uncased").cuda()
opt = torch.optim.AdamW(model.parameters(), lr=5e-5)
sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.0, 1000)
for batch in masked_batches():
    loss = model(**{k: v.cuda() for k, v in batch.items()}).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
model.save_pretrained("out")
