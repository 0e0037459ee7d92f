import torch


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        plan = torch.optim.lr_scheduler.StepLR(opt, 10)  # expect: DNN517
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        plan.step()
