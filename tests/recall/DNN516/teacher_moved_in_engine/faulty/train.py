import sys

import torch
from torch.utils.data import DataLoader

from data import PatchDataset
from distill import distill_epoch
from nets import SmallCNN


def main(root, teacher_path):
    device = torch.device("cuda")
    teacher = SmallCNN(100, width=128)
    teacher.load_state_dict(torch.load(teacher_path, map_location="cpu", weights_only=True))
    student = SmallCNN(100, width=32).to(device)
    opt = torch.optim.SGD(student.parameters(), 0.05, momentum=0.9)
    loader = DataLoader(PatchDataset(root, True), 128, shuffle=True, num_workers=8)
    for epoch in range(60):
        print(epoch, distill_epoch(student, teacher, loader, opt, device))
        torch.save(student.state_dict(), "student.pt")


if __name__ == "__main__":
    main(*sys.argv[1:3])
