# The caller switches the mode.
import torch


@torch.no_grad()
def validate(model, loader):
    return sum(model(x).mean().item() for x in loader)


def main():
    from coins import Net, train_loader, val_loader

    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        model.train()
        for x in train_loader():
            opt.zero_grad()
            model(x).pow(2).mean().backward()
            opt.step()
        model.eval()
        print(validate(model, val_loader()))


main()
