import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from nets import TinyGPT
from utils.log import StepLogger


def main():
    model = TinyGPT(dim=1024, heads=16, layers=12).cuda()
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    log = StepLogger(50)
    loader = DataLoader(TokenWindows("train.bin", 512), 16, shuffle=True, num_workers=8)
    for step, (idx, targets) in enumerate(loader):
        _, loss = model(idx.cuda(), targets.cuda())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        log(step, loss, opt.param_groups[0]["lr"])
        if step % 5000 == 0:
            torch.save(model.state_dict(), "gpt.pt")


if __name__ == "__main__":
    main()
