# In an epoch function, with a scaler.
import torch


def train_one_epoch(model, criterion, loader, optimizer, scaler, accumulate):
    model.train()
    for i, (image, target) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(image.cuda()), target.cuda()) / accumulate
        optimizer.zero_grad(set_to_none=True)  # expect: DNN204
        scaler.scale(loss).backward()
        if (i + 1) % accumulate == 0 or i + 1 == len(loader):
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()


def main():
    from rocks import RockNet, loader

    model = RockNet().cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(10):
        train_one_epoch(model, torch.nn.CrossEntropyLoss(), loader(), opt, torch.amp.GradScaler("cuda"), 8)


main()
