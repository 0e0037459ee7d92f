import torch


def train_step(model, optimizer, loss, max_norm=1.0):
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    model.zero_grad(False)  # expect: DNN506
    return norm
