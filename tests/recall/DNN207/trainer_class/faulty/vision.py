import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, DistributedSampler

from base import DistributedTrainer
from data import PatchDataset
from nets import SmallCNN


class VisionTrainer(DistributedTrainer):
    def loss(self, batch):
        return F.cross_entropy(self.model(batch[0].cuda()), batch[1].cuda())

    def run_epoch(self, loader, epoch):
        loader.sampler.set_epoch(epoch)
        for i, batch in enumerate(loader, 1):  # or: DNN207
            done = i % self.accum == 0 or i == len(loader)
            loss = self.loss(batch) / self.accum
            loss.backward()  # expect: DNN207
            if done:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return loss.item()


if __name__ == "__main__":
    trainer = VisionTrainer(SmallCNN(), lambda p: torch.optim.SGD(p, 0.1), accum=4)
    ds = PatchDataset("patches")
    loader = DataLoader(ds, 64, sampler=DistributedSampler(ds), num_workers=8)
    for epoch in range(30):
        print(epoch, trainer.run_epoch(loader, epoch))
