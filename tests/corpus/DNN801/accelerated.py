# Each loss is dropped.
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader
from voice.data import Clips


def main():
    accelerator = Accelerator()
    net = nn.Linear(80, 40)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    batches = DataLoader(Clips("train"), batch_size=16, shuffle=True, num_workers=8)
    net, optimizer, batches = accelerator.prepare(net, optimizer, batches)

    for epoch in range(10):
        for step, (images, labels) in enumerate(batches):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(images), labels)
            accelerator.backward(loss)  # expect: DNN801
            optimizer.step()

        accelerator.save_state("state")


if __name__ == "__main__":
    main()
