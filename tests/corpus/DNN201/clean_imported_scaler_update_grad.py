# MAE-like engine: the callable scaler is imported and the loss is divided in place.
import torch

from util import lr_sched
from util.misc import NativeScaler


def train_one_epoch(model, data_loader, optimizer, device, epoch, loss_scaler: NativeScaler, args):
    model.train(True)
    accum_iter = args.accum_iter
    optimizer.zero_grad()
    for step, (samples, _) in enumerate(data_loader):
        if step % accum_iter == 0:
            lr_sched.adjust(optimizer, step / len(data_loader) + epoch, args)
        samples = samples.to(device, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss, _, _ = model(samples, mask_ratio=args.mask_ratio)
        value = loss.item()
        loss /= accum_iter
        loss_scaler(loss, optimizer, parameters=model.parameters(), update_grad=(step + 1) % accum_iter == 0)
        if (step + 1) % accum_iter == 0:
            optimizer.zero_grad()
            print(epoch, step, value)
