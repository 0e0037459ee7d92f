# retain_graph keeps the activations of each batch, and the list keeps the graphs.
import torch


def analyse(model, loader, steps):
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    kept = []
    for _, batch in zip(range(steps), loader):
        opt.zero_grad()
        loss = model(batch).logsumexp(dim=1).mean()
        loss.backward(retain_graph=True)
        opt.step()
        kept.append(loss)  # expect: DNN501
    return kept
