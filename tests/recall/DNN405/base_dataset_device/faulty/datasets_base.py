import torch
from torch.utils.data import Dataset


class DeviceDataset(Dataset):
    def __init__(self, files, device="cuda"):
        self.files, self.device = files, device

    def __len__(self):
        return len(self.files)

    def load(self, path):
        raise NotImplementedError

    def __getitem__(self, i):
        x, y = self.load(self.files[i])
        return x.to(self.device), torch.tensor(y, device=self.device)  # expect: DNN405
