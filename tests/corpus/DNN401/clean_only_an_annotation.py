# DataLoader is a type here; the loader comes from elsewhere.
import torch
from torch.utils.data import DataLoader


def train(model: torch.nn.Module, loader: DataLoader, lr: float = 1e-3) -> None:
    assert isinstance(loader, DataLoader)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        opt.step()
