import random

import torch


class NoiseAndGain:
    def __init__(self, seed=1234, noise=0.01):
        self.random = random.Random(seed)  # expect: DNN406
        self.noise = noise

    def reseed(self, seed):
        self.random = random.Random(seed)

    def __call__(self, wave):
        gain = self.random.uniform(0.5, 1.5)
        shift = self.random.randrange(0, 1600)  # or: DNN406
        return torch.roll(wave * gain, shift, dims=-1) + self.noise * torch.randn_like(wave)
