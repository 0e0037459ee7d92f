# webdataset's WebLoader is another class.
import torch
import webdataset as wds

from clips import ClipNet, preprocess

shards = "pipe:curl -s http://store/train-{0000..0511}.tar"
dataset = wds.WebDataset(shards).shuffle(1000).decode("pil").to_tuple("jpg", "cls").map_tuple(preprocess, int)
loader = wds.WebLoader(dataset, batch_size=128, num_workers=4)
net = ClipNet().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    opt.step()
