# enabled= depends on CUDA, not on the dtype.
import torch


def train(net, loader):
    opt = torch.optim.AdamW(net.parameters())
    scaler = torch.amp.GradScaler("cuda", enabled=torch.cuda.is_available())  # expect: DNN104
    amp = {"device_type": "cuda", "dtype": torch.bfloat16}
    for x in loader:
        opt.zero_grad()
        with torch.autocast(**amp):
            loss = net(x.cuda()).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
