import glob
import os
import sys

import torch
import torch.nn.functional as F
import torchaudio
from torch.utils.data import DataLoader

from datasets_base import DeviceDataset


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


class Birds(DeviceDataset):
    def load(self, path):
        wave, _ = torchaudio.load(path)
        return wave[:, :32000], int(os.path.basename(path).split("-")[0])


class BirdTrainer:
    def __init__(self, root):
        self.net = M5(80).cuda()
        self.opt = torch.optim.AdamW(self.net.parameters(), 1e-3)
        self.loader = DataLoader(Birds(glob.glob(root + "/*.wav")), 64, shuffle=True, num_workers=10)

    def fit(self, epochs):
        for epoch in range(epochs):
            for wave, label in self.loader:
                self.opt.zero_grad()
                loss = F.cross_entropy(self.net(wave.cuda()), label.cuda())
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()
            print(epoch, loss.item())
        torch.save(self.net.state_dict(), "birds.pt")


if __name__ == "__main__":
    BirdTrainer(sys.argv[1]).fit(25)
