import json
import sys

import torch
import torch.nn.functional as F
import torchaudio
from torch.utils.data import DataLoader

from base import Trainer


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


class WordTrainer(Trainer):
    smoothing = 0.1

    def loss(self, batch):
        wave, label = batch
        return F.cross_entropy(self.model(wave.cuda()), label.cuda(), label_smoothing=getattr(self, "smoothing", 0.0))


if __name__ == "__main__":
    WordTrainer(M5()).fit(DataLoader(SpeechCommands(sys.argv[1]), 128, shuffle=True, num_workers=8), 30)
