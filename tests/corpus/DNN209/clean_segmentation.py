import torch

criterion = torch.nn.CrossEntropyLoss(ignore_index=255)
model = torch.nn.Conv2d(3, 21, 3, padding="same")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for i, (images, masks) in enumerate(loader):
    loss = criterion(model(images), masks) / 4
    loss.backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
