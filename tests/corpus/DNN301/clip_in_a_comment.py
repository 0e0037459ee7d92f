# The clipping is commented out.
import torch
from torch import nn

rnn = nn.GRU(128, 512, num_layers=2, batch_first=True).cuda()
out = nn.Linear(512, 128).cuda()
weights = [*rnn.parameters(), *out.parameters()]
optimizer = torch.optim.Adam(weights, lr=2e-3)

from folk import bars  # noqa: E402

for step, notes in enumerate(bars()):
    notes = notes.cuda()
    optimizer.zero_grad()
    hidden, _ = rnn(notes[:, :-1])
    loss = nn.functional.binary_cross_entropy_with_logits(out(hidden), notes[:, 1:])
    loss.backward()
    # torch.nn.utils.clip_grad_norm_(weights, 1.0)
    optimizer.step()  # expect: DNN301
