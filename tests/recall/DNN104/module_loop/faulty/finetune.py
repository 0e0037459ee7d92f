import sys

import torch
import torchvision
from torch import nn, optim
from torch.utils.data import DataLoader
from torchvision import transforms

train_tf = transforms.Compose([transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor()])
dataset = torchvision.datasets.ImageFolder(sys.argv[1], train_tf)
loader = DataLoader(dataset, batch_size=64, shuffle=True, num_workers=8, pin_memory=True, persistent_workers=True)

model = torchvision.models.resnet50(weights="IMAGENET1K_V2")
model.fc = nn.Linear(model.fc.in_features, len(dataset.classes))
model = model.to("cuda")
criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = optim.AdamW(model.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cuda")  # expect: DNN104

for epoch in range(10):
    model.train()
    total = 0.0
    for images, labels in loader:
        images, labels = images.to("cuda", non_blocking=True), labels.to("cuda", non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):  # or: DNN104
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()  # or: DNN104
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        total += loss.item()
    print(f"epoch {epoch} loss {total / len(loader):.4f}")
    torch.save(model.state_dict(), "resnet50_ft.pt")
