# accelerate divides the loss itself.
import torch
from accelerate import Accelerator

from recipes import RecipeNet, RecipeSet

accelerator = Accelerator(gradient_accumulation_steps=8)
model = RecipeNet()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
loader = torch.utils.data.DataLoader(RecipeSet(), batch_size=4, shuffle=True, num_workers=8)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for epoch in range(3):
    for batch in loader:
        with accelerator.accumulate(model):
            loss = model(batch).mean()
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
