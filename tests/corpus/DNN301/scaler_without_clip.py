# Mixed precision, scaler.step, no clip.
import torch


def fit(model, loader, epochs=10):
    opt = torch.optim.AdamW(model.parameters(), lr=5e-5)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        for image, text in loader:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = model(image.cuda(), text.cuda())
            opt.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(opt)  # expect: DNN301
            scaler.update()


if __name__ == "__main__":
    from pairs import Matcher, loader

    fit(Matcher().cuda(), loader())
