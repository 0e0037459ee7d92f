# In an epoch function with a scaler; the negated form.
import torch


def train(model, loader, optimizer, scaler, accum):
    for batch_idx, (image, label) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.cross_entropy(model(image.cuda()), label.cuda()) / accum
        scaler.scale(loss).backward()
        if not batch_idx % accum:  # expect: DNN206
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(30):
        train(model, loader, opt, torch.amp.GradScaler("cuda"), accum=8)
