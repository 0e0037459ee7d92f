"""DNN606: DistributedDataParallel that searches for unused parameters in every iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL, LIGHTNING_TRAINERS
from dnnlint.program.values import Const
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_TAKERS = {
    "find_unused_parameters": (
        *DISTRIBUTED_DATA_PARALLEL,
        "accelerate.DistributedDataParallelKwargs",
        "accelerate.utils.DistributedDataParallelKwargs",
        "lightning.pytorch.strategies.DDPStrategy",
        "pytorch_lightning.strategies.DDPStrategy",
        "lightning.fabric.strategies.DDPStrategy",
    ),
    "ddp_find_unused_parameters": ("transformers.TrainingArguments", "transformers.Seq2SeqTrainingArguments"),
}
_STRATEGY = "ddp_find_unused_parameters_true"


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report find_unused_parameters=True where no forward of the file takes different ways."""
    if _forward_branches(program):
        return
    for name, takers in _TAKERS.items():
        for call in program.calls_to(*takers):
            given = program.argument(call, name)
            if given is not None and program.resolver.resolve(given) == (Const(True),):
                yield _report(call.node, f"`{name}` is True")
    for call in program.calls_to(*LIGHTNING_TRAINERS):
        given = program.argument(call, "strategy")
        if given is not None and program.resolver.resolve(given) == (Const(_STRATEGY),):
            yield _report(call.node, f"`strategy` is `{_STRATEGY}`")


def _forward_branches(program: Program) -> bool:
    """Whether a ``forward`` of the file may leave parameters unused: it has a branch."""
    return any(f.name == "forward" and f.owner is not None and _branches(f.node) for f in program.facts.functions)


def _branches(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.If, cst.IfExp)) or any(_branches(child) for child in node.children)


def _report(node: cst.Call, state: str) -> Report:
    return Report(
        node,
        f"{state}: after each forward pass the whole graph is searched for parameters without a gradient.",
        "Leave it out where every parameter gets a gradient in every iteration.",
    )


RULE = Rule(
    code="DNN606",
    name="find-unused-parameters",
    severity=Severity.ADVICE,
    clause="S3.1.1b",
    check=check,
)
