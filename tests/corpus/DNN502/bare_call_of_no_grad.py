# torch.no_grad() as a statement does nothing.
import torch


def test(model, loader):
    model.eval()
    torch.no_grad()
    errors = []
    for image, steering in loader:
        angle = model(image.cuda())  # expect: DNN502
        errors.append((angle.squeeze(1).cpu() - steering).abs().mean().item())
    return sum(errors) / len(errors)


def train(model, loader, test_loader):
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(30):
        model.train()
        for image, steering in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(image.cuda()).squeeze(1), steering.cuda()).backward()
            opt.step()
        print(epoch, test(model, test_loader))
