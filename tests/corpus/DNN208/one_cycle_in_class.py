# OneCycleLR in a trainer class: total_steps counts windows.
import torch


class Trainer:
    def __init__(self, model, loader, epochs, accum=4, lr=0.1):
        self.model, self.loader, self.epochs, self.accum = model, loader, epochs, accum
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)
        steps = epochs * len(loader) // accum
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=lr, total_steps=steps)

    def fit(self):
        for _ in range(self.epochs):
            for i, batch in enumerate(self.loader):
                loss = self.model(batch.cuda()) / self.accum
                loss.backward()
                if (i + 1) % self.accum == 0:
                    self.opt.step()
                    self.opt.zero_grad()

                print(i, self.sched.get_last_lr())
                self.sched.step()  # expect: DNN208
