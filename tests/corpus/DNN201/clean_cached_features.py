# Contrastive loss with cached features: the gradient of the whole batch is replayed chunk by chunk.
import torch
import torch.nn.functional as F


def contrastive_step(encoder, texts, images, optimizer, chunk=16):
    with torch.no_grad():
        a = torch.cat([encoder.text(t) for t in texts.split(chunk)])
        b = torch.cat([encoder.image(v) for v in images.split(chunk)])
    a, b = a.requires_grad_(), b.requires_grad_()
    scores = F.normalize(a, dim=1) @ F.normalize(b, dim=1).T / 0.05
    loss = F.cross_entropy(scores, torch.arange(len(a), device=a.device))
    grad_a, grad_b = torch.autograd.grad(loss, (a, b))

    optimizer.zero_grad()
    pieces = zip(texts.split(chunk), images.split(chunk), grad_a.split(chunk), grad_b.split(chunk))
    for t, v, ga, gb in pieces:
        surrogate = (encoder.text(t) * ga).sum() + (encoder.image(v) * gb).sum()
        surrogate.backward()
    optimizer.step()
    return loss.item()


def train(encoder, loader):
    opt = torch.optim.AdamW(encoder.parameters(), lr=1e-5)
    for texts, images in loader:
        contrastive_step(encoder, texts.cuda(), images.cuda(), opt)
