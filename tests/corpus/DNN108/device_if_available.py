# The usual device expression, loop in a function.
import torch


def train_epoch(model, loader, opt, device):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.nll_loss(model(x.to(device)), y.to(device))  # expect: DNN108
        loss.backward()
        opt.step()


def main():
    from signs import Net, loader

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Net().to(device)
    opt = torch.optim.Adadelta(model.parameters(), lr=1.0)
    for _ in range(14):
        train_epoch(model, loader(), opt, device)


if __name__ == "__main__":
    main()
