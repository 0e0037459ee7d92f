"""DNN206: an accumulation window that is not N micro-batches long, or an accumulation option without effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.counters import first_value
from dnnlint.program.literals import number
from dnnlint.program.paths import has
from dnnlint.program.tree import Kind
from dnnlint.program.unread_options import unread_options
from dnnlint.program.wording import quoted, source_text
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import Accumulation, TrainingLoop


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report windows whose first turn is too short or too long, then options that nothing reads."""
    for loop in program.training_loops:
        report = _off_by_some(program, loop, loop.accumulation) if loop.accumulation is not None else None
        if report is not None:
            yield report
    if program.training_loops:
        yield from _unused_options(program)


def _off_by_some(program: Program, loop: TrainingLoop, accumulation: Accumulation) -> Report | None:
    window, fork = accumulation.window, accumulation.fork
    if window is None or fork is None or window.kind != "modulo" or window.remainder is None:
        return None
    test = fork.branch.test
    if window.counter is None or window.divisor is None or test is None or _is_guarded(test):
        return None
    start = first_value(program.conditions, window.counter, fork.place)
    if start is None:
        return None
    # In turn k the counter is start + k - 1, and k micro-batches have been added up: k has to be a multiple of n.
    first = window.remainder - window.offset - start + 1 - _steps_before_backward(loop)
    length = number(program.resolver.resolve(window.divisor))
    if first == 0 or (length and first % length == 0):
        return None
    divisor, counter = source_text(program, window.divisor.node), source_text(program, window.counter.node)
    count = str(first) if first > 0 else f"`{divisor} - {-first}`"
    noun = "micro-batch" if first == 1 else "micro-batches"
    # The count of micro-batches from 1, whatever the counter starts at.
    shifted = f"({counter} {'+' if start < 1 else '-'} {abs(1 - start)})" if start != 1 else counter
    return Report(
        test,
        f"{quoted(program, test)} takes the first step after {count} {noun} instead of `{divisor}`: `{counter}` "
        f"starts at {start}.",
        f"Test `{shifted} % {divisor} == 0`.",
    )


def _is_guarded(test: cst.BaseExpression) -> bool:
    """``i % n == 0 and i > 0`` moves the first step."""
    return isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And)


def _steps_before_backward(loop: TrainingLoop) -> int:
    """1 where the step stands in front of the backward pass and so does not see its gradients."""
    for path in loop.paths:
        if has(path, Kind.STEP) and has(path, Kind.BACKWARD):
            return int(path.index(path.of(Kind.STEP)[0]) < path.index(path.of(Kind.BACKWARD)[0]))
    return 0


def _unused_options(program: Program) -> Iterator[Report]:
    if any(loop.accumulation for loop in program.training_loops):
        return
    for option in unread_options(program, lambda name, _: "accum" in name.lower()):
        yield Report(
            option.node,
            f"The option `{option.name}` is parsed and never read: the optimizer steps after every batch.",
            "Use the option in the training loop, or remove it.",
        )


RULE = Rule(
    code="DNN206",
    name="wrong-accumulation-window",
    severity=Severity.ERROR,
    clause="S3.2.1a",
    check=check,
)
