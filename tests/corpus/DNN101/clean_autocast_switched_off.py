# autocast(enabled=False) keeps a part of the network in float32.
import torch
from torch import nn


class SpectralLoss(nn.Module):
    def __init__(self, sizes=(512, 1024, 2048)):
        super().__init__()
        self.sizes = sizes

    def forward(self, estimate, truth):
        with torch.autocast("cuda", enabled=False):
            total = 0.0
            for n in self.sizes:
                window = torch.hann_window(n, device=truth.device)
                a = torch.stft(estimate.float(), n, window=window, return_complex=True).abs()
                b = torch.stft(truth.float(), n, window=window, return_complex=True).abs()
                total = total + (a - b).abs().mean()
        return total


def train(vocoder, loader):
    criterion = SpectralLoss()
    optimizer = torch.optim.AdamW(vocoder.parameters(), lr=2e-4, betas=(0.8, 0.99))
    for mel, wave in loader:
        optimizer.zero_grad()
        loss = criterion(vocoder(mel.cuda()), wave.cuda())
        loss.backward()
        nn.utils.clip_grad_norm_(vocoder.parameters(), 1.0)
        optimizer.step()
