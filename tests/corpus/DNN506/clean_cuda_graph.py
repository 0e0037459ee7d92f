# A captured graph needs its gradients in place.
import torch


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    static = torch.zeros(8, 4, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        model(static).mean().backward()
    for x, y in loader:
        static.copy_(x)
        opt.zero_grad(set_to_none=False)
        graph.replay()
        opt.step()
