# apex: inside the context the loss is scaled, after it the master gradients are not.
import torch
from apex import amp
from torch import nn

from ner import Tagger, sentences

tagger = Tagger().cuda()
adam = torch.optim.Adam(tagger.parameters(), lr=2e-5)
tagger, adam = amp.initialize(tagger, adam, opt_level="O2")
for epoch in range(4):
    for tokens, tags in sentences():
        loss = tagger(tokens.cuda(), tags.cuda())
        adam.zero_grad()
        with amp.scale_loss(loss, adam) as scaled:
            scaled.backward()
        nn.utils.clip_grad_norm_(amp.master_params(adam), 1.0)
        adam.step()
