# Fabric was given 16-mixed: it holds the scaler.
import lightning as L
import torch
from torch import nn

from audio import keyword_loader


def main():
    fabric = L.Fabric(accelerator="cuda", devices=2, precision="16-mixed")
    fabric.launch()
    net = nn.Sequential(nn.Conv1d(40, 128, 5), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(128, 35))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    net, optimizer = fabric.setup(net, optimizer)
    loader = fabric.setup_dataloaders(keyword_loader())
    for _ in range(15):
        for mel, word in loader:
            optimizer.zero_grad()
            with fabric.autocast():
                loss = nn.functional.cross_entropy(net(mel), word)
            fabric.backward(loss)
            fabric.clip_gradients(net, optimizer, max_norm=1.0)
            optimizer.step()


main()
