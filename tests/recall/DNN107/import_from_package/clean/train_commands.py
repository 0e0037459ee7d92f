import json

import torch
import torch.nn.functional as F
import torchaudio

from utils.amp import Precision


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


def main(manifest="train.jsonl", epochs=30):
    precision = Precision(enabled=torch.cuda.is_available())
    net = M5(n_output=12).cuda()
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    loader = torch.utils.data.DataLoader(SpeechCommands(manifest), batch_size=128, shuffle=True, num_workers=8)
    for epoch in range(epochs):
        for wave, label in loader:
            with precision.context():
                loss = F.cross_entropy(net(wave.cuda()), label.cuda())
            precision.step(loss, optimizer)
        print(f"{epoch}: {loss.item():.4f}")
    torch.save(net.state_dict(), "commands.pt")


if __name__ == "__main__":
    main()
