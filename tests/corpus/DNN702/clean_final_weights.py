# Only the final weights are saved.
import torch

from fields import FieldNet, loader

model = FieldNet()
opt = torch.optim.Adam(model.parameters())
for epoch in range(10):
    for x in loader():
        opt.zero_grad()
        model(x).mean().backward()
        opt.step()
torch.save(model.state_dict(), "field.pt")
