# With bfloat16 the scaler is disabled: scale(loss) is loss, and clipping needs no unscale_.
import torch

scaler = torch.amp.GradScaler("cuda", enabled=False)


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for batch in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(batch.cuda()).mean()
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
