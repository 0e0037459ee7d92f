# Cleared after backward: the step sees no gradients.
import torch


def train_epoch(model, loader, optimizer):
    model.train()
    for x, y in loader:
        out = model(x)
        loss = torch.nn.functional.cross_entropy(out, y)
        loss.backward()
        optimizer.zero_grad()  # expect: DNN503
        optimizer.step()


def main():
    from locks import LockNet, loader

    model = LockNet()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(10):
        train_epoch(model, loader(), optimizer)


if __name__ == "__main__":
    main()
