# In a trainer class.
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, dataset):
        self.device = "cuda:0"
        self.model = model.to(self.device)
        self.loader = DataLoader(dataset, 32, shuffle=True, num_workers=12, persistent_workers=True)  # expect: DNN402
        self.opt = torch.optim.AdamW(model.parameters())

    def fit(self, epochs):
        for _ in range(epochs):
            for image, mask in self.loader:
                loss = self.model(image.to(self.device), mask.to(self.device))
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
