import json
import sys

import torch
import torch.nn.functional as F
import torchaudio
from torch.utils.data import DataLoader
from torch import nn

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


class MelTrainer(Trainer):
    def __init__(self, model, **kwargs):
        super().__init__(model, **kwargs)
        bank = torchaudio.functional.melscale_fbanks(201, 0.0, 8000.0, 64, 16000)
        self.bank = bank.to(self.device)

    def loss(self, batch):
        wave, label = batch
        wave = wave.squeeze(1).to(self.device)
        window = torch.hann_window(400, device=self.device)
        spec = torch.stft(wave, 400, 160, window=window, return_complex=True).abs()
        mel = spec.transpose(1, 2) @ self.bank
        return F.cross_entropy(self.model(mel.log1p().mean(1)), label.to(self.device))


if __name__ == "__main__":
    head = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 35))
    MelTrainer(head).fit(DataLoader(SpeechCommands(sys.argv[1]), 256, shuffle=True, num_workers=8), 20)
