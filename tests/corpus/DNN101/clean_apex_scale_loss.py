# apex scales the loss itself: the backward belongs to the scaled loss.
import torch
from apex import amp
from torchvision.models import resnet50

from imagelist import make_loader

net = resnet50().cuda()
opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
net, opt = amp.initialize(net, opt, opt_level="O1")
loss_fn = torch.nn.CrossEntropyLoss().cuda()

for epoch in range(90):
    for x, y in make_loader("train"):
        loss = loss_fn(net(x.cuda()), y.cuda())
        opt.zero_grad()
        with amp.scale_loss(loss, opt) as scaled_loss:
            scaled_loss.backward()
        torch.nn.utils.clip_grad_norm_(amp.master_params(opt), 1.0)
        opt.step()
