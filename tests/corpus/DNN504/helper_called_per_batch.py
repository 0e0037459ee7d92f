# Through a helper of the file.
import torch


def free_memory():
    torch.cuda.empty_cache()  # or: DNN504


def train(model, stream, steps):
    opt = torch.optim.Adam(model.parameters())
    for _ in range(steps):
        x, y = next(stream)
        loss = torch.nn.functional.mse_loss(model(x.cuda()), y.cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()
        free_memory()  # expect: DNN504
