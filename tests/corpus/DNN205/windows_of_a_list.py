# The counter is a local of the epoch, and the model is evaluated between the epochs.
import torch


def fit(net, loader, val, epochs=10, n=32):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        net.train()
        opt.zero_grad()
        micro = 0
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(net(x), y)
            (loss / n).backward()
            micro += 1
            if micro % n == 0:  # expect: DNN205
                opt.step()
                opt.zero_grad()
        net.eval()
        with torch.no_grad():
            print(epoch, sum((net(x).argmax(1) == y).sum().item() for x, y in val))
