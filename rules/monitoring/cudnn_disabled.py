"""DNN805: cuDNN is switched off, for the whole program or around a part of the training."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.values import Const, External, Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_CUDNN = "torch.backends.cudnn"


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report ``torch.backends.cudnn.enabled = False``; a switch that is turned back on is left alone."""
    switched = []
    for assign in program.facts.assigns:
        target = assign.target
        if not (isinstance(target, cst.Attribute) and target.attr.value == "enabled") or assign.operator:
            continue
        place = program.place_of(assign)
        if program.resolver.resolve(Ref(target.value, place)) == (External(_CUDNN),):
            switched.append((assign, program.resolver.resolve(Ref(assign.value, place))))
    if all(values == (Const(False),) for _, values in switched):
        for assign, _ in switched:
            yield Report(
                assign.node,
                f"{quoted(program, assign.node)} takes convolutions and recurrent layers onto slower kernels.",
                "Remove it, and set `torch.backends.cudnn.deterministic = True` for reproducible runs.",
            )


RULE = Rule("DNN805", "cudnn-disabled", Severity.WARNING, "S2.2.2", check)
