# A click option that the body never reads.
import click
import torch


@click.command()
@click.option("--lr", default=0.1)
@click.option("--accumulate", default=4, help="batches per step")  # expect: DNN206
def main(lr, accumulate):  # or: DNN206
    from kelp import KelpNet, loader

    net = KelpNet()
    opt = torch.optim.SGD(net.parameters(), lr=lr)
    for x, y in loader():
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


if __name__ == "__main__":
    main()
