import json
import sys

import torch
import torch.nn.functional as F
import torchaudio
from torch.utils.data import DataLoader
from torch.optim.swa_utils import AveragedModel

from base import BaseTrainer


class SpeechCommands(torch.utils.data.Dataset):
    def __init__(self, manifest):
        with open(manifest) as fh:
            self.items = [json.loads(line) for line in fh]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, idx):
        item = self.items[idx]
        wave, rate = torchaudio.load(item["path"])
        return wave[:, : 16000], item["label"]


class M5(torch.nn.Module):
    def __init__(self, n_output=35, ch=32):
        super().__init__()
        self.conv1 = torch.nn.Conv1d(1, ch, kernel_size=80, stride=16)
        self.bn1 = torch.nn.BatchNorm1d(ch)
        self.conv2 = torch.nn.Conv1d(ch, 2 * ch, kernel_size=3)
        self.bn2 = torch.nn.BatchNorm1d(2 * ch)
        self.fc = torch.nn.Linear(2 * ch, n_output)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = torch.relu(self.bn2(self.conv2(x)))
        return self.fc(x.mean(-1))


class SwaTrainer(BaseTrainer):
    def __init__(self, model, optimizer, clip_value=1.0, start=1000):
        super().__init__(model, optimizer, clip_value)
        self.averaged, self.start, self.count = AveragedModel(model), start, 0

    def step(self):
        super().step()
        self.count += 1
        if self.count >= self.start:
            self.averaged.update_parameters(self.model)

    def loss(self, batch):
        wave, label = batch
        return F.cross_entropy(self.model(wave.cuda()), label.cuda())


if __name__ == "__main__":
    m5 = M5().cuda()
    trainer = SwaTrainer(m5, torch.optim.SGD(m5.parameters(), 0.05), clip_value=0.5)
    trainer.fit(DataLoader(SpeechCommands(sys.argv[1]), 64, shuffle=True, num_workers=8), 20)
    torch.save(trainer.averaged.module.state_dict(), "swa.pt")
