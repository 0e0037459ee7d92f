"""The callable of another file gets the limit, the plain branch does not use it."""
import torch

from utils import NativeScaler


def train_one_epoch(model, loader, optimizer, loss_scaler: NativeScaler, clip_grad: float = 0, use_amp=True, accum=1):
    for i, (x, y) in enumerate(loader):
        with torch.cuda.amp.autocast(enabled=use_amp):
            loss = torch.nn.functional.cross_entropy(model(x), y)
        loss /= accum
        if use_amp:
            loss_scaler(loss, optimizer, clip_grad=clip_grad, parameters=model.parameters())
            optimizer.zero_grad()
        else:
            loss.backward()
            if (i + 1) % accum == 0:
                optimizer.step()  # expect: DNN304
                optimizer.zero_grad()
