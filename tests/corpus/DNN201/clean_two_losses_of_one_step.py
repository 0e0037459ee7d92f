# Two backwards, one step: two terms of one objective, no window.
import torch
from torch import nn


def train(encoder, classifier, domain_head, loader, beta=0.1):
    params = [*encoder.parameters(), *classifier.parameters(), *domain_head.parameters()]
    opt = torch.optim.SGD(params, lr=0.01)
    for (xs, ys), xt in loader:
        opt.zero_grad()
        class_loss = nn.functional.cross_entropy(classifier(encoder(xs)), ys)
        class_loss.backward()
        scores = domain_head(encoder(torch.cat([xs, xt]))).squeeze(1)
        origin = torch.cat([torch.zeros(len(xs)), torch.ones(len(xt))])
        domain_loss = beta * nn.functional.binary_cross_entropy_with_logits(scores, origin)
        domain_loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
