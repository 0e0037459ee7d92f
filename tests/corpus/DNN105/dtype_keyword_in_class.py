# Trainer class: .to(device=..., dtype=torch.half) on the module that is trained.
import torch


class Finetuner:
    def __init__(self, network, lr=1e-5):
        self.network = network.to(device="cuda", dtype=torch.half)  # expect: DNN105
        self.optimizer = torch.optim.AdamW(self.network.parameters(), lr=lr)

    def update(self, ids, labels):
        self.network.train()
        logits = self.network(ids.cuda())
        loss = torch.nn.functional.cross_entropy(logits.float(), labels.cuda())
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        return float(loss)

    def run(self, loader):
        return [self.update(ids, labels) for ids, labels in loader]
