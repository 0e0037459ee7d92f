# The clipping is in a helper of the same file, which knows nothing of the scaler.
import torch


def clip(model, limit):
    return torch.nn.utils.clip_grad_norm_(model.parameters(), limit)  # or: DNN103


def optimise(model, batches, lr, limit=0.25):
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    scaler = torch.amp.GradScaler("cuda")
    for words, nexts in batches:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.cross_entropy(model(words.cuda()).flatten(0, 1), nexts.cuda().flatten())
        scaler.scale(loss).backward()
        clip(model, limit)  # expect: DNN103
        scaler.step(opt)
        scaler.update()
