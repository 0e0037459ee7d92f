# The prepared optimizer's zero_grad acts on the micro-batch that ends the window: in front of the backward it
# throws away what the others have added.
import torch
from accelerate import Accelerator

from kilns import Net, glaze_loader

accelerator = Accelerator(gradient_accumulation_steps=4)
net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
net, optimizer, loader = accelerator.prepare(net, optimizer, glaze_loader())
for epoch in range(10):
    for x, y in loader:
        with accelerator.accumulate(net):
            optimizer.zero_grad()  # expect: DNN204
            loss = torch.nn.functional.mse_loss(net(x), y)
            accelerator.backward(loss)
            optimizer.step()
