# The first loss is scaled, the auxiliary one is not; both end in the same gradients.
import torch
from torch import nn


def train(net, aux, loader):
    opt = torch.optim.SGD([*net.parameters(), *aux.parameters()], lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        with torch.cuda.amp.autocast():
            z = net(x.cuda())
            main_loss = nn.functional.cross_entropy(z, y.cuda())
            aux_loss = aux(net.features(x.cuda())).mean()
        scaler.scale(main_loss).backward()

        torch.cuda.nvtx.range_push("aux")
        aux_loss.backward()  # expect: DNN102
        torch.cuda.nvtx.range_pop()

        scaler.step(opt)
        scaler.update()
