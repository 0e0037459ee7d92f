# The clip comes after the step, in an epoch function.
import torch


def train_epoch(model, loader, optimizer, max_norm):
    model.train()
    for batch in loader:
        loss = model(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # expect: DNN302


def main():
    from plots import Net, loader

    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(20):
        train_epoch(model, loader(), optimizer, max_norm=0.5)


if __name__ == "__main__":
    main()
