# Scaling, clipping and stepping are in a helper of the same file.
import torch
from torch import nn


def optimise(loss, optimizer, scaler, parameters, max_norm):
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(parameters, max_norm)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)


def main(dataset, epochs=12):
    device = torch.device("cuda")
    model = nn.GRU(64, 256, batch_first=True).to(device)
    readout = nn.Linear(256, 64).to(device)
    weights = list(model.parameters()) + list(readout.parameters())
    optimizer = torch.optim.Adam(weights, lr=1e-3)
    scaler = torch.amp.GradScaler(device.type)
    for _ in range(epochs):
        for sequence in dataset:
            sequence = sequence.to(device)
            with torch.autocast(device.type, dtype=torch.float16):
                hidden, _ = model(sequence[:, :-1])
                loss = nn.functional.mse_loss(readout(hidden), sequence[:, 1:])
            optimise(loss, optimizer, scaler, weights, 1.0)
