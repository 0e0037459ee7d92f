# Model, optimizer and epoch are saved, the scaler is not; saving is in a function.
import torch


def save_checkpoint(path, model, optimizer, epoch):
    torch.save(
        {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path
    )  # expect: DNN702


def load_checkpoint(path, model, optimizer):
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"] + 1


def train_epoch(model, loader, optimizer, scaler):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def main(model, loader, resume=None):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    start = load_checkpoint(resume, model, optimizer) if resume else 0
    for epoch in range(start, 90):
        train_epoch(model, loader, optimizer, scaler)
        save_checkpoint("checkpoint.pt", model, optimizer, epoch)


if __name__ == "__main__":
    import sys

    from fields import FieldNet, loader

    main(FieldNet().cuda(), loader(), *sys.argv[1:])
