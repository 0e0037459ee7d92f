# The bfloat16 context is held in a variable and entered in a nested function.
import torch


def fit(model, data, epochs=3):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    mixed = torch.autocast(device_type="cuda", dtype=torch.bfloat16)
    scaler = torch.amp.GradScaler("cuda", growth_interval=1000)  # expect: DNN104

    def train_step(batch):
        optimizer.zero_grad(set_to_none=True)
        with mixed:
            loss = model.loss(batch)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        return loss.item()

    for _ in range(epochs):
        for batch in data:
            train_step(batch)
