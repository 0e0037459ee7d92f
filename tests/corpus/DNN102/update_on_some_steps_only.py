# update() is called on every tenth step: step() may not be called twice without it.
import torch
from torch import nn

device = "cuda"
policy = nn.Sequential(nn.Linear(17, 256), nn.Tanh(), nn.Linear(256, 6)).to(device)
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4)
scaler = torch.amp.GradScaler(device)

from demos import expert_batches  # noqa: E402

for step, (state, action) in enumerate(expert_batches(batch_size=1024)):
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device, dtype=torch.float16):
        loss = nn.functional.mse_loss(policy(state.to(device)), action.to(device))
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # expect: DNN102
    if step % 10 == 0:
        scaler.update()
        print(step, loss.item())
