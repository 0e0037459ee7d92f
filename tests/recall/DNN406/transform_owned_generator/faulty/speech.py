import json

import torchaudio
from torch.utils.data import Dataset

from augment import NoiseAndGain


class Commands(Dataset):
    def __init__(self, manifest):
        self.items = [json.loads(line) for line in open(manifest)]
        self.augment = NoiseAndGain()  # or: DNN406

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        wave, _ = torchaudio.load(self.items[i]["path"])
        return self.augment(wave[:, :16000]), self.items[i]["label"]
