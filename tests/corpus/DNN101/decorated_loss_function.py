# The float16 region is a decorator on the function that computes the loss.
import torch
from torch import nn


@torch.autocast("cuda", dtype=torch.float16)
def segmentation_loss(model, images, masks):
    pred = model(images)
    bce = nn.functional.binary_cross_entropy_with_logits(pred, masks)
    prob = pred.sigmoid()
    overlap = 2 * (prob * masks).sum() / (prob.sum() + masks.sum() + 1e-6)
    return bce + 1 - overlap


def train(model, loader, epochs=40):
    model.cuda().train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)
    for _ in range(epochs):
        for images, masks in loader:
            loss = segmentation_loss(model, images.cuda(), masks.cuda())
            optimizer.zero_grad()
            loss.backward()  # expect: DNN101
            nn.utils.clip_grad_value_(model.parameters(), 0.5)
            optimizer.step()
