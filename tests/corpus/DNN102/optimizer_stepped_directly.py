# The loss is scaled, but the optimizer steps by itself: the update is 65536 times too large.
import torch
from torch.cuda.amp import GradScaler, autocast


def train_one_epoch(model, loader, criterion, optimizer, scaler, device):
    model.train()
    for images, targets in loader:
        images, targets = images.to(device), targets.to(device)
        optimizer.zero_grad()
        with autocast():
            loss = criterion(model(images), targets)
        scaler.scale(loss).backward()

        torch.cuda.synchronize()
        optimizer.step()  # expect: DNN102

        scaler.update()


def main():
    from leaves import leaf_loader, leaf_model

    device = torch.device("cuda")
    model = leaf_model().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = GradScaler()
    for _ in range(25):
        train_one_epoch(model, leaf_loader(), torch.nn.CrossEntropyLoss(), optimizer, scaler, device)


main()
