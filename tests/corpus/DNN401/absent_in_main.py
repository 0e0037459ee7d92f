# num_workers is not given: every batch is read by the training process.
import torch
from torchvision.datasets import ImageFolder
from torchvision.models import resnet18
from torchvision.transforms import v2


def train_epoch(model, loader, optimizer):
    for image, label in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(image.cuda()), label.cuda()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def main():
    augment = v2.Compose([v2.RandomResizedCrop(224), v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
    pictures = ImageFolder("birds/train", augment)
    loader = torch.utils.data.DataLoader(pictures, batch_size=64, shuffle=True)  # expect: DNN401
    model = resnet18(num_classes=len(pictures.classes)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(30):
        train_epoch(model, loader, optimizer)


if __name__ == "__main__":
    main()
