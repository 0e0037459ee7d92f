import json
import sys

import torch
import torch.nn.functional as F
import torchaudio
from torch.amp import GradScaler, autocast


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


def fit(net, loader, epochs, lr=0.01):
    optimizer = torch.optim.Adam(net.parameters(), lr=lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.1)
    scaler = GradScaler("cuda")
    for epoch in range(1, epochs + 1):
        net.train()
        for i, (wave, label) in enumerate(loader):
            wave, label = wave.cuda(), label.cuda()
            optimizer.zero_grad()
            with autocast("cuda"):
                loss = F.cross_entropy(net(wave), label)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            if i % 20 == 0:
                print(f"Train Epoch: {epoch} [{i}/{len(loader)}] Loss: {loss.item():.6f}")
        sched.step()


if __name__ == "__main__":
    dataset = SpeechCommands(sys.argv[1])
    model = M5().cuda()
    fit(model, torch.utils.data.DataLoader(dataset, batch_size=256, shuffle=True, num_workers=8, pin_memory=True), 40)
    torch.save(model.state_dict(), "m5.pt")
