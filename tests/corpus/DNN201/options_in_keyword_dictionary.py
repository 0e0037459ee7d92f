# The window travels in a keyword dictionary.
import torch

OPTIONS = {"lr": 0.05, "grad_accum_steps": 8, "max_norm": 1.0}


def train(model, loader, *, lr, grad_accum_steps, max_norm):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    optimizer.zero_grad()
    for k, (pixels, caption) in enumerate(loader):
        loss = model(pixels, caption)
        loss.mean().backward()  # expect: DNN201
        if k % grad_accum_steps == grad_accum_steps - 1:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    from memes import Captioner, loader

    train(Captioner(), loader(), **OPTIONS)
