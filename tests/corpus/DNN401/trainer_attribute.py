# Trainer class: the number is an attribute with a default in __init__.
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, dataset, batch_size=32, num_workers=4):
        self.model = model.cuda()
        self.dataset = dataset
        self.batch_size = batch_size
        self.num_workers = num_workers
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def loader(self):
        return DataLoader(self.dataset, self.batch_size, shuffle=True, num_workers=self.num_workers)  # expect: DNN401

    def fit(self, epochs):
        for _ in range(epochs):
            for x, y in self.loader():
                loss = torch.nn.functional.mse_loss(self.model(x.cuda()), y.cuda())
                self.opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()


if __name__ == "__main__":
    from lakes import DepthNet, LakeSet

    Trainer(DepthNet(), LakeSet("train")).fit(20)
