# collate stays on the CPU and names the device only as a string for the caller.
import torch
from torch.utils.data import DataLoader

from notes import Net, NoteSet


def collate(samples):
    ids = torch.nn.utils.rnn.pad_sequence([s["ids"] for s in samples])
    return {"ids": ids, "device": "cuda"}


net = Net().cuda()
opt = torch.optim.Adam(net.parameters())
for batch in DataLoader(NoteSet("train"), 32, shuffle=True, collate_fn=collate, num_workers=8):
    opt.zero_grad()
    net(batch["ids"].to(batch["device"])).mean().backward()
    opt.step()
