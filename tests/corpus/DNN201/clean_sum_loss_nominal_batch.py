# Detector: the loss is multiplied by the batch size, gradients are a sum up to a nominal batch of 64.
import torch

NOMINAL = 64


def fit(detector, loader, batch_size, epochs):
    accumulate = max(round(NOMINAL / batch_size), 1)
    decay = 5e-4 * batch_size * accumulate / NOMINAL
    optimizer = torch.optim.SGD(detector.parameters(), lr=0.01, momentum=0.937, weight_decay=decay)
    last_update = -1
    for epoch in range(epochs):
        for i, (images, targets) in enumerate(loader):
            seen = i + len(loader) * epoch
            box, obj, cls = detector(images.cuda(), targets.cuda())
            loss = (box + obj + cls) * images.shape[0]
            loss.backward()
            if seen - last_update >= accumulate:
                torch.nn.utils.clip_grad_norm_(detector.parameters(), 10.0)
                optimizer.step()
                optimizer.zero_grad()
                last_update = seen
