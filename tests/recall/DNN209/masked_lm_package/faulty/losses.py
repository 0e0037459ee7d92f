import torch.nn.functional as F

PAD = 0


def lm_loss(logits, targets):
    """Next-token loss over the tokens that are no padding."""
    mask = (targets != PAD).float()
    nll = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return (nll * mask.flatten()).sum() / mask.sum()  # or: DNN209
