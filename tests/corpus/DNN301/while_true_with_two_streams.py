# Semi-supervised training in while True.
import torch
import torch.nn.functional as F

from kelp import KelpNet, labelled, unlabelled

net = KelpNet().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.9, nesterov=True)
a, b = iter(labelled()), iter(unlabelled())
it = 0
while True:
    (x, y), (weak, strong) = next(a), next(b)
    with torch.no_grad():
        guess = net(weak.cuda()).softmax(1)
        sure, hard = guess.max(1)
    loss = F.cross_entropy(net(x.cuda()), y.cuda())
    loss = loss + (F.cross_entropy(net(strong.cuda()), hard, reduction="none") * (sure > 0.95)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()  # expect: DNN301
    it += 1
    if it > 100_000:
        break
