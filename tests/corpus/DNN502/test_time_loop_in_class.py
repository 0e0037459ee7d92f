# The test method of a class has no context and is called after training.
import torch


class Experiment:
    def __init__(self, net):
        self.net = net.cuda()
        self.opt = torch.optim.Adam(net.parameters())

    def train(self, loader, epochs):
        for _ in range(epochs):
            self.net.train()
            for x, y in loader:
                self.opt.zero_grad()
                torch.nn.functional.cross_entropy(self.net(x.cuda()), y.cuda()).backward()
                self.opt.step()

    def test(self, loader):
        self.net.eval()
        hits = total = 0
        for x, y in loader:
            logits = self.net(x.cuda())  # expect: DNN502
            hits += (logits.argmax(1).cpu() == y).sum().item()
            total += len(y)
        print(f"accuracy {hits / total:.3f}")


if __name__ == "__main__":
    from kelp import KelpNet, test_loader, train_loader

    experiment = Experiment(KelpNet())
    experiment.train(train_loader(), 10)
    experiment.test(test_loader())
