# A name amp from another package.
import torch
from apex import amp

from plankton import net, shoals

model = net().cuda()
model, optimizer = amp.initialize(model, torch.optim.SGD(model.parameters(), lr=0.1), opt_level="O1")
for x, y in shoals():
    loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    with amp.scale_loss(loss, optimizer) as scaled:
        scaled.backward()
    optimizer.step()
    optimizer.zero_grad()
