import torch


scaler = torch.amp.GradScaler("cuda")


def amp_step(loss, optimizer, parameters, clip=1.0):
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(parameters, clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
