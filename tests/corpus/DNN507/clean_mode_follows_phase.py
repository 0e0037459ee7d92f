# The mode follows the phase.
import torch


def run(model, loader, opt=None):
    training = opt is not None
    model.train(training)
    total = 0.0
    with torch.set_grad_enabled(training):
        for x in loader:
            loss = model(x).pow(2).mean()
            if training:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item()
    return total


def main():
    from coins import Net, train_loader, val_loader

    model = Net()
    opt = torch.optim.Adam(model.parameters())
    for _ in range(10):
        run(model, train_loader(), opt)
        print(run(model, val_loader()))


main()
