# What the saver of another file puts into the checkpoint is not visible.
import torch

from project.checkpoints import Checkpointer


def train(model, loader, epochs):
    opt = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    keeper = Checkpointer("runs", model=model, optimizer=opt, scaler=scaler)
    start = keeper.restore()
    for epoch in range(start, epochs):
        for x in loader:
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = model(x)
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        keeper.save(epoch)
