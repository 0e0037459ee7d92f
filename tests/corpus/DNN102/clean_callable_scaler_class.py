# A callable scaler object defined in the same file holds scale, step and update.
import torch


class LossScaler:
    def __init__(self):
        self._scaler = torch.cuda.amp.GradScaler()

    def __call__(self, loss, optimizer, parameters, clip_grad=None, update_grad=True):
        self._scaler.scale(loss).backward()
        if not update_grad:
            return
        if clip_grad is not None:
            self._scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(parameters, clip_grad)
        self._scaler.step(optimizer)
        self._scaler.update()

    def state_dict(self):
        return self._scaler.state_dict()


def train_one_epoch(model, loader, optimizer, loss_scaler, accum_iter):
    optimizer.zero_grad()
    for i, (samples, targets) in enumerate(loader):
        last = (i + 1) % accum_iter == 0
        with torch.cuda.amp.autocast():
            loss = torch.nn.functional.cross_entropy(model(samples.cuda()), targets.cuda())
        loss_scaler(loss / accum_iter, optimizer, model.parameters(), clip_grad=1.0, update_grad=last)
        if last:
            optimizer.zero_grad()
