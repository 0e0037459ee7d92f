# A streamed dataset of the hub is iterable.
import torch
from datasets import load_dataset
from torch.utils.data import DataLoader

from lm import LM, collate

stream = load_dataset("allenai/c4", "en", split="train", streaming=True).shuffle(buffer_size=10_000)
loader = DataLoader(stream, batch_size=16, collate_fn=collate)
model = LM().cuda()
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
for ids in loader:
    opt.zero_grad()
    model(ids.cuda()).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
