"""Which imports are known libraries: what they do to an optimizer is known, anything else may do all."""

from __future__ import annotations

from dnnlint.project.libraries import KNOWN

DISTRIBUTED_DATA_PARALLEL = (
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.distributed.DistributedDataParallel",
)
"""The qualified names of DistributedDataParallel."""
LIGHTNING_TRAINERS = ("lightning.Trainer", "lightning.pytorch.Trainer", "pytorch_lightning.Trainer")
"""The qualified names of the Trainer of Lightning."""
SHARDED = frozenset({"FullyShardedDataParallel", "FSDP"})
"""The classes of PyTorch and fairscale that shard the parameters of a model."""


def is_known(qualified: str) -> bool:
    """Whether a qualified name belongs to a library whose functions leave gradients and optimizers alone."""
    return qualified.partition(".")[0] in KNOWN
