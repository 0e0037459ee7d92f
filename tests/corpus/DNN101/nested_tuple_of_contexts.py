# Two contexts in one with statement, inside try.
import torch
from torch.profiler import record_function


def train(model, loader, epochs, lr=1e-3):
    optimizer = torch.optim.SGD(model.parameters(), lr)
    for epoch in range(epochs):
        for step, batch in enumerate(loader):
            optimizer.zero_grad()
            try:
                with record_function("forward"), torch.cuda.amp.autocast(dtype=torch.float16):
                    loss = model(batch["x"].cuda(), batch["y"].cuda())["loss"]
                loss.backward()  # expect: DNN101
            except torch.cuda.OutOfMemoryError:
                print("skipped", step)
                continue
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
