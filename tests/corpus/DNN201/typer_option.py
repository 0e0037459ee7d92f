# A typer option; the boundary is a named flag.
import torch
import typer
from torch import nn


def train(grad_accum: int = typer.Option(4, help="micro-batches per update"), epochs: int = 3):
    from kelp import KelpNet, loader

    model = KelpNet().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for _ in range(epochs):
        batches = loader()
        for index, (x, y) in enumerate(batches):
            boundary = (index + 1) % grad_accum == 0 or index + 1 == len(batches)
            loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()  # expect: DNN201
            if boundary:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)


if __name__ == "__main__":
    typer.run(train)
