import json
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
def evaluate(net, loader):
    hits, count = 0, 0
    with torch.no_grad():
        for wave, label in loader:
            hits += (net(wave.cuda()).argmax(1).cpu() == label).sum().item()
            count += len(label)
    return hits / count


def main(train_manifest, val_manifest):
    net = M5().cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    train = DataLoader(SpeechCommands(train_manifest), 128, shuffle=True, num_workers=8)
    val = DataLoader(SpeechCommands(val_manifest), 256, num_workers=8)
    net.train()  # or: DNN508
    for epoch in range(30):
        for wave, label in train:
            opt.zero_grad()
            loss = F.cross_entropy(net(wave.cuda()), label.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        net.eval()  # expect: DNN508
        print(epoch, loss.item(), evaluate(net, val))
        torch.save(net.state_dict(), "m5.pt")


if __name__ == "__main__":
    main(*sys.argv[1:3])
