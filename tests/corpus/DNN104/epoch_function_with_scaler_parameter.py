# The scaler is made in main, the bfloat16 context is in the epoch function.
import torch
from torch import nn


def epoch(model, loader, opt, scaler):
    total = 0.0
    for clip, action in loader:
        with torch.amp.autocast(device_type="cuda", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(clip.cuda()), action.cuda())
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        total += loss.item()
    return total / len(loader)


def main():
    from torchvision.models.video import r3d_18

    from actions import clip_loader

    model = r3d_18(num_classes=51).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda", enabled=True)  # expect: DNN104
    loader = clip_loader()
    for e in range(30):
        print(e, epoch(model, loader, opt, scaler))


if __name__ == "__main__":
    main()
