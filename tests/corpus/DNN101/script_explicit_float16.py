# Module-level loop, float16 autocast spelled out, plain backward.
import torch
import torch.nn.functional as F
from torch import nn
from torchvision import datasets, transforms

tf = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.ToTensor()])
train_set = datasets.CIFAR10("data", train=True, download=True, transform=tf)
loader = torch.utils.data.DataLoader(train_set, batch_size=256, shuffle=True, num_workers=8, pin_memory=True)

net = nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

for epoch in range(10):
    for images, labels in loader:
        images, labels = images.cuda(non_blocking=True), labels.cuda(non_blocking=True)
        opt.zero_grad(set_to_none=True)
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            loss = F.cross_entropy(net(images), labels)
        loss.backward()  # expect: DNN101
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    print(f"epoch {epoch}: {loss.item():.3f}")
