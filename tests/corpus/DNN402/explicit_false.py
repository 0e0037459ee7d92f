# pin_memory=False, device by the usual expression, loop in a function.
import torch
from torch.utils.data import DataLoader


def train(model, loader, opt, device):
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        opt.step()


def main():
    from gulls import Net, GullSet

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(  # expect: DNN402
        GullSet(), batch_size=16, shuffle=True, num_workers=8, pin_memory=False
    )
    model = Net().to(device)
    train(model, loader, torch.optim.SGD(model.parameters(), lr=0.1), device)


if __name__ == "__main__":
    main()
