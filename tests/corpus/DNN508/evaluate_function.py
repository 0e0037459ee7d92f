# The evaluation function switches, main switches back only once, before the loop.
import torch


def evaluate(model, loader):
    model.eval()  # or: DNN508
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum().item() for x, y in loader)


def train_epoch(model, loader, opt):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        opt.step()


def main():
    from mugs import MugNet, train_loader, val_loader

    model = MugNet()
    opt = torch.optim.Adam(model.parameters())
    model.train()  # expect: DNN508
    for epoch in range(20):
        train_epoch(model, train_loader(), opt)
        print(epoch, evaluate(model, val_loader()))


if __name__ == "__main__":
    main()
