# Trainer class: the state dict is loaded within one expression.
import torch


class Trainer:
    def __init__(self, model, run_dir):
        self.model = model.cuda()
        self.run_dir = run_dir
        self.opt = torch.optim.Adam(model.parameters())

    def restore(self):
        self.model.load_state_dict(torch.load(self.run_dir / "model.pt"))  # expect: DNN704

        print("restored from", self.run_dir)

        self.opt.load_state_dict(torch.load(self.run_dir / "opt.pt"))  # expect: DNN704

    def fit(self, loader):
        for x in loader:
            self.opt.zero_grad()
            self.model(x.cuda()).mean().backward()
            self.opt.step()
        torch.save(self.model.state_dict(), self.run_dir / "model.pt")
        torch.save(self.opt.state_dict(), self.run_dir / "opt.pt")
