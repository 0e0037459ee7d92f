# Every fifth epoch evaluates; train() was before the loop.
import torch


def fit(net, loader, val, epochs):
    opt = torch.optim.Adam(net.parameters())
    net.train()  # expect: DNN508
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        if epoch % 5 == 4:
            net.eval()  # or: DNN508
            with torch.no_grad():
                print(epoch, sum(torch.nn.functional.mse_loss(net(x), y).item() for x, y in val))
