# A local function adds to a variable of the enclosing one.
import torch


def fit(model, loader, epochs):
    opt = torch.optim.RMSprop(model.parameters())
    running = torch.zeros((), device="cuda")

    def step(x, y):
        nonlocal running
        opt.zero_grad()
        loss = torch.nn.functional.l1_loss(model(x), y)
        loss.backward()
        opt.step()
        running = running + loss  # expect: DNN501

    for epoch in range(epochs):
        for x, y in loader:
            step(x.cuda(), y.cuda())
        print(epoch, running.item())
