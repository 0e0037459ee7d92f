"""DNN203: the learning rate of an adaptive optimizer divided by the number of micro-batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.micro_batches import accumulations
from dnnlint.program.powers import divides
from dnnlint.program.roles import last_name
from dnnlint.program.values import Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

# Their step does not grow with the gradient: it is divided by its running magnitude, or only its sign counts.
_ADAPTIVE = frozenset(
    "Adam AdamW Adamax NAdam RAdam RMSprop Rprop Adagrad Adadelta SparseAdam Adafactor Lion LAMB Lamb LARS Lars "
    "FusedAdam FusedLAMB Adam8bit AdamW8bit PagedAdam8bit PagedAdamW PagedAdamW8bit Lion8bit AdamP AdaBelief Adan "
    "Sophia SophiaG Prodigy Shampoo SOAP AdaBound NovoGrad DeepSpeedCPUAdam RMSpropTF StableAdamW NAdamW".split()
)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report adaptive optimizers whose learning rate is divided by the length of the accumulation window."""
    for micro in accumulations(program, strict=True):
        stepped = [value for step in micro.loop.steps for value in step.targets]
        names = {id(v.node): last_name(v) for v in stepped if isinstance(v, Result) and last_name(v) in _ADAPTIVE}
        for rate in micro.rates:
            name = names.get(id(rate.node))
            if name and divides(rate.powers):
                number = quoted(program, micro.factor.ref.node)
                yield Report(
                    rate.node,
                    f"The learning rate of `{name}` is divided by {number}: its steps do not grow with the summed "
                    f"gradients, so they only become {number} times shorter.",
                    f"Keep the learning rate and divide the loss by {number}.",
                )


RULE = Rule(
    code="DNN203",
    name="learning-rate-scaled-for-adaptive-optimizer",
    severity=Severity.WARNING,
    clause="S3.2.1b",
    check=check,
)
