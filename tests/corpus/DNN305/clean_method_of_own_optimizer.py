# A method named clip_grad_norm of an optimizer wrapper from another file.
from seq.optim import build_optimizer


def train(model, loader, args):
    optimizer = build_optimizer(model, args)
    for sample in loader:
        optimizer.zero_grad()
        loss = model(**sample)
        optimizer.backward(loss)
        optimizer.clip_grad_norm(args.clip_norm)
        optimizer.step()
