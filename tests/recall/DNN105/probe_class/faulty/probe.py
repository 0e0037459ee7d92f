import json
import sys

import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms as T

from runner import Runner


class Probe(nn.Module):
    def __init__(self, classes):
        super().__init__()
        net = torchvision.models.convnext_tiny(weights="DEFAULT")
        self.backbone = nn.Sequential(net.features, net.avgpool, nn.Flatten(1))
        self.head = nn.Linear(768, classes)

    def forward(self, x):
        return self.head(self.backbone(x)).float()


class ProbeRunner(Runner):
    def build(self):
        model = Probe(self.cfg["classes"])
        model.half()  # expect: DNN105
        return model

    def loss(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.model(x.cuda().half()), y.cuda())


if __name__ == "__main__":
    cfg = json.load(open(sys.argv[1]))
    tf = T.Compose([T.Resize(256), T.CenterCrop(224), T.ToTensor()])
    data = torchvision.datasets.ImageFolder(cfg["root"], tf)
    ProbeRunner(cfg).fit(DataLoader(data, 64, shuffle=True, num_workers=8))
