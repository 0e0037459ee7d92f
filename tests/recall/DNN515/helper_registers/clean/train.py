import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from nets import TinyGPT
from utils.probe import watch_gradients


def main():
    model = TinyGPT(block=256).cuda()
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    loader = DataLoader(TokenWindows("train.bin", 256), 16, shuffle=True, num_workers=8)
    norms = {}
    watch_gradients(model, norms)
    for epoch in range(3):
        for step, (idx, targets) in enumerate(loader):
            _, loss = model(idx.cuda(), targets.cuda())
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            if step % 100 == 0:
                print(epoch, step, loss.item(), max(norms, key=lambda n: norms[n].item()))
        torch.save(model.state_dict(), "gpt.pt")


if __name__ == "__main__":
    main()
