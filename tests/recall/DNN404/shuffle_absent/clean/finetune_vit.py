import sys

import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms as T

tf = T.Compose([T.RandomResizedCrop(224), T.ToTensor(), T.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))])
train_set = torchvision.datasets.ImageFolder(sys.argv[1] + "/train", tf)
val_set = torchvision.datasets.ImageFolder(sys.argv[1] + "/val", tf)
train_loader = DataLoader(train_set, batch_size=64, num_workers=8, pin_memory=True, shuffle=True)
val_loader = DataLoader(val_set, batch_size=128, num_workers=8, pin_memory=True)

model = torchvision.models.vit_b_16(weights="DEFAULT")
model.heads.head = nn.Linear(model.heads.head.in_features, len(train_set.classes))
model.cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(8):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x.cuda()), y.cuda())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.eval()
    hits = 0
    with torch.inference_mode():
        for x, y in val_loader:
            hits += (model(x.cuda()).argmax(1).cpu() == y).sum().item()
    print(f"epoch {epoch} loss {loss.item():.3f} acc {hits / len(val_set):.3f}")
    torch.save(model.state_dict(), "vit.pt")
