import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from evaluate import evaluate
from nets import TinyGPT


def main():
    model = TinyGPT(block=256).cuda()
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    train = DataLoader(TokenWindows("train.bin", 256), 16, shuffle=True, num_workers=8)
    val = DataLoader(TokenWindows("val.bin", 256), 16, num_workers=8)
    for epoch in range(3):
        model.train()
        for idx, targets in train:
            opt.zero_grad()
            _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item(), evaluate(model, val))
        torch.save(model.state_dict(), "gpt.pt")


if __name__ == "__main__":
    main()
