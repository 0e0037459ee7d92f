# accelerate clips only when it is told to.
import torch
from accelerate import Accelerator

from beans import BeanNet, BeanSet


def main():
    accelerator = Accelerator()
    model = BeanNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    loader = torch.utils.data.DataLoader(BeanSet(), batch_size=32, shuffle=True, num_workers=8)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(5):
        for image, label in loader:
            loss = torch.nn.functional.cross_entropy(model(image), label)
            accelerator.backward(loss)
            optimizer.step()  # expect: DNN301
            optimizer.zero_grad()


if __name__ == "__main__":
    main()
