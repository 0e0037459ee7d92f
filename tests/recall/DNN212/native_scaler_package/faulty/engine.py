import torch
import torch.nn.functional as F


def train_epoch(net, loader, optimizer, lr_scheduler, loss_scaler):
    net.train()
    for image, mask in loader:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(net(image.cuda()), mask.cuda())
        loss_scaler(loss, optimizer, net.parameters())
        lr_scheduler.step()  # expect: DNN212
    return loss.item()
