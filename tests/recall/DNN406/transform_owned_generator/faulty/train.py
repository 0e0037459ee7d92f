import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from speech import Commands


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


def main(manifest):
    loader = DataLoader(Commands(manifest), 128, shuffle=True, num_workers=8)  # or: DNN406
    net = M5().cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(30):
        for wave, label in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(wave.cuda()), label.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "m5.pt")


if __name__ == "__main__":
    main(sys.argv[1])
