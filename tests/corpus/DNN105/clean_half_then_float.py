# The pre-trained weights arrive in float16 and are cast back before training.
import torch

from zoo import pretrained

net = pretrained("encoder").half()
torch.save(net.state_dict(), "encoder_fp16.pt")
net = net.float().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-5)

from coins import batches  # noqa: E402

for x, y in batches():
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
