# Meta-learning: one backward for each task of the meta batch, gradients divided by the number of tasks.
import torch


def meta_train(model, tasks, rounds, tasks_per_round=4):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(rounds):
        opt.zero_grad()
        for task in tasks.sample(tasks_per_round):
            adapted = model.adapt(task.support)
            loss = model.loss(adapted, task.query)
            loss.backward()
        for p in model.parameters():
            p.grad.data.mul_(1.0 / tasks_per_round)
        opt.step()
