"""Learning-rate schedulers: which of them count their own calls, and whose learning rate they set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.program.roles import site
from dnnlint.program.values import Ref, Result

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver
    from dnnlint.program.tree import Event

_ROOTS = ("torch.optim.lr_scheduler.", "transformers.")


def counts_its_calls(event: Event) -> bool:
    """Whether a schedule event moves a scheduler of PyTorch or transformers that is not told the epoch."""
    call = event.call.node
    made = [v for v in event.targets if isinstance(v, Result) and v.qualified.startswith(_ROOTS)]
    return bool(made) and len(made) == len(event.targets) and isinstance(call, cst.Call) and not call.args


def drives(resolver: Resolver, event: Event, step: Event) -> bool:
    """Whether the scheduler of a schedule event was made for the optimizer of a step."""
    optimizers = {site(value) for value in step.targets}
    for value in event.targets:
        if isinstance(value, Result) and value.node.args:
            given = resolver.resolve(Ref(value.node.args[0].value, value.place))
            return bool(optimizers & {site(optimizer) for optimizer in given})
    return False
