# backward is in a local function, the window in the loop that calls it.
import torch


def run(model, batches, epochs, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def accumulate(batch):
        energy, forces = model(batch)
        loss = (energy - batch.energy).pow(2).mean() + 10 * (forces - batch.forces).pow(2).mean()
        loss.backward()  # expect: DNN201
        return loss.item()

    for _ in range(epochs):
        seen = 0
        for batch in batches:
            accumulate(batch)
            seen += 1
            if seen % every == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
                optimizer.step()
                optimizer.zero_grad()


if __name__ == "__main__":
    from water import Potential, frames

    run(Potential(), frames(), epochs=10, every=8)
