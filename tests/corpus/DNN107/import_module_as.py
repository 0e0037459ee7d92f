# import torch.cuda.amp as camp, inside a function.
import torch


def fit(model, loader, epochs):
    import torch.cuda.amp as camp  # or: DNN107

    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    grad_scaler = camp.GradScaler(growth_interval=500)  # expect: DNN107
    for _ in range(epochs):
        for image, mask in loader:
            opt.zero_grad()
            with camp.autocast(enabled=True, dtype=torch.float16):  # expect: DNN107
                loss = model(image.cuda(), mask.cuda())
            grad_scaler.scale(loss).backward()
            grad_scaler.step(opt)
            grad_scaler.update()
