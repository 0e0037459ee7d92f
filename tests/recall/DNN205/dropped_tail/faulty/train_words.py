import json
import logging
import sys

import torch
import torch.nn.functional as F
import torchaudio
from torch.utils.data import DataLoader


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
log = logging.getLogger("train")


def train(manifest, epochs=25, accum=6):
    net = M5().cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    loader = DataLoader(SpeechCommands(manifest), batch_size=48, shuffle=True, num_workers=8)
    for epoch in range(epochs):
        net.train()
        optimizer.zero_grad()
        for i, (wave, label) in enumerate(loader):  # or: DNN205
            loss = F.cross_entropy(net(wave.cuda()), label.cuda())
            (loss / accum).backward()
            if (i + 1) % accum == 0:  # expect: DNN205
                torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
                optimizer.step()
                optimizer.zero_grad()
        log.info("epoch %d loss %.4f", epoch, loss.item())
        torch.save(net.state_dict(), "words.pt")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    train(sys.argv[1])
