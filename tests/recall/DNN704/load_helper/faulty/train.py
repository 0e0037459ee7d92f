import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from nets import TinyGPT
from utils.io import load, save


def main(epochs=10):
    device = torch.device("cuda:0")
    model = TinyGPT(block=256).to(device)
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    state = load("last.pt")  # or: DNN704
    start = 0
    if state is not None:
        model.load_state_dict(state["model"])
        opt.load_state_dict(state["opt"])
        start = state["epoch"] + 1
    loader = DataLoader(TokenWindows("train.bin", 256), 32, shuffle=True, num_workers=8)
    for epoch in range(start, epochs):
        for idx, targets in loader:
            opt.zero_grad()
            _, loss = model(idx.to(device), targets.to(device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        save("last.pt", model=model, opt=opt, epoch=epoch)


if __name__ == "__main__":
    main()
