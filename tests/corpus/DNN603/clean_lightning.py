# Lightning tells the sampler the epoch.
import lightning as L
from torch.utils.data import DataLoader, DistributedSampler

from hills import HillModule, HillSet

data = HillSet("train")
trainer = L.Trainer(max_epochs=30, devices=4, strategy="ddp", use_distributed_sampler=False)
trainer.fit(HillModule(), DataLoader(data, 8, sampler=DistributedSampler(data, 4, 0), num_workers=8))
