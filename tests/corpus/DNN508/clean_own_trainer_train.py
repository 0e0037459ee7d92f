# trainer.train() is the training of an epoch, not the mode; it switches the mode itself.
import torch


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())

    def train(self, loader):
        self.net.train()
        for x in loader:
            self.opt.zero_grad()
            self.net(x).mean().backward()
            self.opt.step()

    def test(self, loader):
        self.net.eval()
        with torch.no_grad():
            return sum(self.net(x).mean().item() for x in loader)


def main():
    from kelp import KelpNet, test_loader, train_loader

    trainer = Trainer(KelpNet())
    trainer.train(train_loader())
    for _ in range(10):
        trainer.train(train_loader())
        print(trainer.test(test_loader()))


main()
