import torch
import torch.nn.functional as F

from utils.grad import apply_update, backward_micro


def train_one_epoch(net, loader, optimizer, scaler, accum_iter=4, clip=1.0):
    net.train()
    optimizer.zero_grad(set_to_none=True)
    for it, (image, mask) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(net(image.cuda()), mask.cuda(), ignore_index=255)
        backward_micro(loss, scaler, accum_iter)
        if (it + 1) % accum_iter == 0 or it + 1 == len(loader):
            apply_update(optimizer, scaler, net.parameters(), clip)
    return loss.item()
