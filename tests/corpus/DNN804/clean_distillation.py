# Distillation: log_softmax of the student, softmax of the teacher; soft targets of a cross entropy.
import torch
import torch.nn.functional as F
from torch import nn

student, teacher = nn.Linear(32, 10), nn.Linear(32, 10)
opt = torch.optim.SGD(student.parameters(), lr=0.1)


def step(x, y, temperature=4.0):
    opt.zero_grad()
    with torch.no_grad():
        soft = F.softmax(teacher(x) / temperature, dim=1)
    logits = student(x)
    kd = F.kl_div(F.log_softmax(logits / temperature, dim=1), soft, reduction="batchmean")
    loss = F.cross_entropy(logits, y) + F.cross_entropy(logits, target=soft) + kd
    loss.backward()
    opt.step()
