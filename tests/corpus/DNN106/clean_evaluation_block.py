# The block holds the evaluation; the training loop has no autocast.
import torch
from torch import nn

from ratings import matrix_factors, test_pairs, train_pairs

model = matrix_factors(64).cuda()
opt = torch.optim.SparseAdam(model.parameters(), lr=1e-2)
for epoch in range(8):
    for user, item, stars in train_pairs():
        opt.zero_grad()
        nn.functional.mse_loss(model(user.cuda(), item.cuda()), stars.cuda()).backward()
        opt.step()
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
        errors = [(model(u.cuda(), i.cuda()) - s.cuda()).abs().mean().item() for u, i, s in test_pairs()]
    print(epoch, sum(errors) / len(errors))
