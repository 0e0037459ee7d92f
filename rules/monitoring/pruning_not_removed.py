"""DNN807: weights are pruned through masks that nothing makes permanent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Block
from dnnlint.finding import Severity
from dnnlint.program.lookups import call_sites
from dnnlint.program.scripts import attribute_names, called_parts, is_test, unknown_events
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_PRUNE = "torch.nn.utils.prune"
_MASKING = tuple(
    f"{_PRUNE}.{name}"
    for name in (
        "l1_unstructured",
        "random_unstructured",
        "ln_structured",
        "random_structured",
        "global_unstructured",
        "custom_from_mask",
    )
)
_REMOVES = re.compile(r"remov|permanent|finali[sz]e|strip|apply_mask|bake|fuse|export|delattr", re.I)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first mask of a script in which no mask is made permanent."""
    calls = [call for call in program.calls_to(*_MASKING) if _is_run(program, call.block)]
    if not calls or is_test(program):
        return
    others = [call for call in program.facts.calls if not call.node.func.deep_equals(calls[0].node.func)]
    if any(_REMOVES.search(part) for call in others for part in called_parts(call)[-1:]):
        return
    if any(_REMOVES.search(name) for name in attribute_names(program)):
        return
    if unknown_events(program):
        return
    yield Report(
        calls[0].node,
        f"{quoted(program, calls[0].node)} keeps each weight whole beside its mask: `prune.remove` is not called.",
        "Call `prune.remove(module, name)` when pruning is done, and store or run the result as sparse or smaller.",
    )


def _is_run(program: Program, block: Block) -> bool:
    """Whether module-level code runs a block, itself or through functions of the program."""
    seen: set[int] = set()
    pending = [block]
    while pending:
        function = pending.pop().function
        if function is None:
            return True
        if id(function) not in seen:
            seen.add(id(function))
            pending.extend(caller.block for caller in call_sites(program.resolver, function))
    return False


RULE = Rule("DNN807", "pruning-not-removed", Severity.ADVICE, "S4.2.2", check)
