import torch
import torch.nn.functional as F


def distill_epoch(student, teacher, loader, optimizer, device, temperature=4.0):
    student.train()
    teacher.eval()
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        with torch.no_grad():
            soft = teacher(x)
        logits = student(x)
        kd = F.kl_div(F.log_softmax(logits / temperature, 1), F.softmax(soft / temperature, 1), reduction="batchmean")
        loss = F.cross_entropy(logits, y) + temperature**2 * kd
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimizer.step()
    return loss.item()
