# The best weights, loaded again for the test.
import torch


def fit(model, loader, val, test, epochs=30):
    opt = torch.optim.Adam(model.parameters())
    best = float("inf")
    for _ in range(epochs):
        model.train()
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            score = sum(model(x).mean().item() for x in val)
        if score < best:
            best = score
            torch.save(model.state_dict(), "best.pt")
    model.load_state_dict(torch.load("best.pt", weights_only=True))
    model.eval()
    with torch.no_grad():
        return [model(x).mean().item() for x in test]
