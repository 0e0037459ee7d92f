# With a scaler, in an epoch function.
import torch


def train(model, loader, opt, scaler):
    for x in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x.cuda())
        scaler.scale(loss).backward(retain_graph=True)  # expect: DNN505
        scaler.step(opt)
        scaler.update()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, opt, torch.amp.GradScaler("cuda"))
