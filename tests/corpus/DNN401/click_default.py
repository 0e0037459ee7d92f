# The default of a click option.
import click
import torch
from torch.utils.data import DataLoader


@click.command()
@click.option("--epochs", default=5)
@click.option("--num-workers", default=6, show_default=True)
def train(epochs, num_workers):
    from maths import ProblemSet, Solver

    loader = DataLoader(ProblemSet(), batch_size=8, shuffle=True, num_workers=num_workers)  # expect: DNN401
    model = Solver()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
    for _ in range(epochs):
        for question, answer in loader:
            opt.zero_grad()
            model(question, answer).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()


if __name__ == "__main__":
    train()
