# The scaled gradients are computed and the scale is updated, but nothing ever steps.
import torch


def pretrain(encoder, decoder, loader, epochs=100):
    weights = list(encoder.parameters()) + list(decoder.parameters())
    optimizer = torch.optim.AdamW(weights, lr=1.5e-4, weight_decay=0.05)
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(epochs):
        for patches in loader:
            patches = patches.cuda()
            keep = torch.rand(patches.shape[:2], device="cuda") > 0.75
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                rebuilt = decoder(encoder(patches * keep.unsqueeze(-1)))
                loss = ((rebuilt - patches) ** 2).mean()
            scaler.scale(loss).backward()  # expect: DNN102
            scaler.update()
        print(epoch, loss.item())
