# A function per epoch plus main; the old spelling without a dtype means float16 on CUDA.
import torch
from torch.cuda.amp import autocast
from torchvision.models import resnet18

from mydata import build_loader


def train_epoch(model, loader, optimizer, criterion, device):
    model.train()
    seen, correct = 0, 0
    for batch in loader:
        inputs = batch["image"].to(device)
        target = batch["label"].to(device)
        optimizer.zero_grad()
        with autocast():
            logits = model(inputs)
            loss = criterion(logits, target)
        loss.backward()  # expect: DNN101
        optimizer.step()
        seen += target.numel()
        correct += (logits.argmax(1) == target).sum().item()
    return correct / seen


def main():
    device = torch.device("cuda", 0)
    model = resnet18(num_classes=100).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
    loader = build_loader("train")
    for epoch in range(90):
        print(epoch, train_epoch(model, loader, optimizer, criterion, device))


if __name__ == "__main__":
    main()
