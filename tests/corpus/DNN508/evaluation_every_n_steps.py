# Evaluation within the batch loop of a while loop.
import torch


def evaluate(model, batches):
    model.eval()  # or: DNN508
    with torch.no_grad():
        return sum(model(x).item() for x in batches) / len(batches)


def pretrain(model, stream, held_out, total=100_000, every=500):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    model.train()  # expect: DNN508
    step = 0
    while step < total:
        loss = model(next(stream))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        step += 1
        if step % every == 0:
            print(step, evaluate(model, held_out))
