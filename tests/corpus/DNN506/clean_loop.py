# A whole training loop that releases the gradients by the default and by name.
import torch
import torch.nn.functional as F


def train(model, loader, epochs=3):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(epochs):
        for step, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()
            if step % 2:
                optimizer.zero_grad()
            else:
                model.zero_grad(set_to_none=True)
