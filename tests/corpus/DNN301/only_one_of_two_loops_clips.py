# The pre-training clips, the fine-tuning does not.
import torch
from torch import nn


def pretrain(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x in loader:
        opt.zero_grad()
        model.reconstruction(x).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()


def finetune(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-5)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(model.classify(x), y).backward()
        opt.step()  # expect: DNN301


if __name__ == "__main__":
    from kelp import KelpNet, labelled, unlabelled

    net = KelpNet()
    pretrain(net, unlabelled())
    finetune(net, labelled())
