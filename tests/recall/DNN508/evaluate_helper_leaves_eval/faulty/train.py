import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PatchDataset
from evaluate import evaluate
from nets import SmallCNN


def main(root):
    model = SmallCNN(100).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    train_loader = DataLoader(PatchDataset(root + "/train", True), 128, shuffle=True, num_workers=8)
    val_loader = DataLoader(PatchDataset(root + "/val"), 256, num_workers=8)
    model.train()  # or: DNN508
    best = 0.0
    for epoch in range(60):
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        acc = evaluate(model, val_loader)  # or: DNN508
        print(epoch, loss.item(), acc)
        if acc > best:
            best = acc
            torch.save(model.state_dict(), "best.pt")


if __name__ == "__main__":
    main(sys.argv[1])
