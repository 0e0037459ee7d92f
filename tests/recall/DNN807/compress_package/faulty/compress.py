from torch import nn
from torch.nn.utils import prune


def targets(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsify(model, amount):
    prune.global_unstructured(targets(model), pruning_method=prune.L1Unstructured, amount=amount)  # expect: DNN807


def sparsity(model):
    weights = [getattr(m, n) for m, n in targets(model)]
    return sum((w == 0).sum().item() for w in weights) / sum(w.numel() for w in weights)
