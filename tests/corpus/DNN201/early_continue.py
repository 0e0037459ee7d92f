# The window ends with an early continue.
import torch


def fit(model, loader, optimizer, loss_fn, window=6, epochs=3):
    model.train()
    for epoch in range(epochs):
        for number, (x, y) in enumerate(loader, start=1):
            loss = loss_fn(model(x), y)
            loss.backward()  # expect: DNN201
            if number % window and number != len(loader):
                continue
            optimizer.step()
            optimizer.zero_grad()
        print(epoch, loss.item())


def main():
    from rivers import FlowNet, gauges

    model = FlowNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    fit(model, gauges(), optimizer, torch.nn.MSELoss())


main()
