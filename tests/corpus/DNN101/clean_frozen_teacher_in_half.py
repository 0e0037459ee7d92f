# Only the frozen teacher runs in float16, without a graph; the student is trained in float32.
import torch
import torch.nn.functional as F

from zoo import student_net, teacher_net


def distill(loader, epochs: int, tau: float = 4.0):
    teacher = teacher_net(pretrained=True).cuda().eval().requires_grad_(False)
    student = student_net().cuda()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    for _ in range(epochs):
        student.train()
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16):
                soft = F.softmax(teacher(x) / tau, dim=1)
            logits = student(x)
            loss = F.cross_entropy(logits, y) + tau**2 * F.kl_div(
                F.log_softmax(logits / tau, dim=1), soft.float(), reduction="batchmean"
            )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), 5.0)
            optimizer.step()
    return student
