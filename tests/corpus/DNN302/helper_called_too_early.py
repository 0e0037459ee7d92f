# A local helper clips; it is called between zero_grad and backward.
import torch


def fit(model, loader, epochs, limit=2.0):
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)

    def clip():
        torch.nn.utils.clip_grad_value_(model.parameters(), limit)

    for _ in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y)
            opt.zero_grad()
            clip()  # expect: DNN302
            loss.backward()

            opt.step()
