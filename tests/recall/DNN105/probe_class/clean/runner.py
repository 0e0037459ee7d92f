import torch


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = self.build().cuda()
        params = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(params, lr=cfg.get("lr", 1e-4))

    def build(self):
        raise NotImplementedError

    def loss(self, batch):
        raise NotImplementedError

    def fit(self, loader):
        for epoch in range(self.cfg["epochs"]):
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                self.optimizer.step()
            print(epoch, loss.item())
        torch.save(self.model.state_dict(), self.cfg["out"])
