# In the handler of an out-of-memory error.
import torch


def train(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for x in loader:
        try:
            loss = model(x.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
        except torch.cuda.OutOfMemoryError:
            opt.zero_grad(set_to_none=True)
            torch.cuda.empty_cache()
            print("skipped a batch of", tuple(x.shape))
