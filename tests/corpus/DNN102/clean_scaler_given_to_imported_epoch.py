# main.py: the scaler is made here and used in an imported function.
import torch

from engine import evaluate, train_one_epoch
from models import build_model
from data import make_loaders


def main():
    model = build_model("vit_small").cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.3)
    scaler = torch.amp.GradScaler("cuda")
    train_loader, val_loader = make_loaders()
    for epoch in range(300):
        train_one_epoch(model, train_loader, optimizer, scaler, epoch)
        print(epoch, evaluate(model, val_loader))
        torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, "last.pt")


if __name__ == "__main__":
    main()
