import torch
import torch.nn.functional as F


def train_epoch(net, loader, optimizer, scaler):  # or: DNN803
    net.train()
    total = 0.0
    for x, y in loader:  # or: DNN803
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
        scaler.scale(loss).backward()  # expect: DNN803
        scaler.step(optimizer)  # or: DNN803
        scaler.update()
        total += loss.item()
    return total / len(loader)
