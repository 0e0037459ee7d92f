# The whole training loop is inside one autocast block.
import torch
from torch import nn


def pretrain(model, corpus, steps, lr):
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    with torch.amp.autocast("cuda", torch.bfloat16):
        for step in range(steps):
            x, y = corpus.sample(32)
            logits = model(x)
            loss = nn.functional.cross_entropy(logits.view(-1, logits.size(-1)), y.view(-1))
            opt.zero_grad(set_to_none=True)
            loss.backward()  # expect: DNN106
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            if step % 50 == 0:
                print(step, loss.item())
