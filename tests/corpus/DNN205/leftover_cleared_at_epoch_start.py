# The epoch function clears at its start: what is left of the last window is thrown away.
import torch


def train_epoch(model, loader, optimizer, accum_steps):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(x), y) / accum_steps
        loss.backward()
        if (i + 1) % accum_steps == 0:  # expect: DNN205
            optimizer.step()
            optimizer.zero_grad()


def main():
    from moths import MothNet, moth_loader

    model = MothNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = moth_loader("train")
    for _ in range(20):
        train_epoch(model, loader, optimizer, accum_steps=8)


if __name__ == "__main__":
    main()
