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
def main(manifest, epochs=200):
    logging.basicConfig(level=logging.INFO)
    net = M5(n_output=35).cuda()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=0.0001)
    loader = DataLoader(SpeechCommands(manifest), batch_size=256, shuffle=True, num_workers=8, pin_memory=True, persistent_workers=True)
    for epoch in range(epochs):
        net.train()
        for wave, label in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(wave.cuda()), label.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        logging.info("epoch %d loss %.4f", epoch, loss.item())
    torch.save(net.state_dict(), "m5.pt")


if __name__ == "__main__":
    main(sys.argv[1])
