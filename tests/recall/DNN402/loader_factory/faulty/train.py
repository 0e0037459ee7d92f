import argparse

import torch

from loaders import get_train_loader
from nets import TinyGPT


def train(model, loader, steps):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    model.train()
    done = 0
    while done < steps:
        for idx, targets in loader:
            _, loss = model(idx.to("cuda", non_blocking=True), targets.to("cuda", non_blocking=True))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            done += 1
            if done % 100 == 0:
                print(done, loss.item())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--bin", default="train.bin")
    p.add_argument("--steps", type=int, default=20000)
    a = p.parse_args()
    gpt = TinyGPT().to("cuda")
    train(gpt, get_train_loader(a.bin, 512, 16), a.steps)  # or: DNN402
    torch.save(gpt.state_dict(), "gpt.pt")
