"""Methods that Lightning calls for every batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.facts import Call, Function
from dnnlint.program.roles import last_name
from dnnlint.program.rounds import always_runs

if TYPE_CHECKING:
    from dnnlint.program import Program

_EVERY_BATCH = frozenset(
    "training_step validation_step on_train_batch_start on_train_batch_end on_validation_batch_start "
    "on_validation_batch_end on_before_backward on_after_backward on_before_optimizer_step on_before_zero_grad "
    "optimizer_step optimizer_zero_grad".split()
)
_OWNERS = frozenset({"LightningModule", "Callback"})


def batch_method(program: Program, call: Call) -> Function | None:
    """The method that runs a call for every batch, None where the call stands elsewhere or under a condition."""
    function = call.block.function
    if function is None or function.owner is None or function.name not in _EVERY_BATCH:
        return None
    _, outside = program.resolver.lineage(function.owner)
    if not any(last_name(base) in _OWNERS for base in outside):
        return None
    return function if always_runs(call.block, function.body) else None
