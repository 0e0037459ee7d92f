import torch


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        scaler = torch.amp.GradScaler("cuda")  # expect: DNN517
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x).mean()
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
