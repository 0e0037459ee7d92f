# The collate function moves the batch.
import torch
from torch.utils.data import DataLoader

from notes import Net, NoteSet


def collate(samples):
    ids = torch.nn.utils.rnn.pad_sequence([s["ids"] for s in samples], batch_first=True)
    labels = torch.tensor([s["label"] for s in samples])
    return ids.to("cuda"), labels.to("cuda")  # expect: DNN405


net = Net().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
loader = DataLoader(NoteSet("train"), batch_size=32, shuffle=True, collate_fn=collate, num_workers=8)
for ids, labels in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(ids), labels).backward()
    opt.step()
