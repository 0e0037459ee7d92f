"""DNN401: a data loader with too few or too many worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.datasets import is_iterable_dataset, is_tensor_dataset, lies_on_device
from dnnlint.program.literals import numbers
from dnnlint.program.loader_roles import EVALUATION, TRAINING
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.values import Const, Setting, Value
from dnnlint.program.wording import described
from dnnlint.rule import Option, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report loaders for which every possible number of workers is outside the range."""
    low, high = int(settings["min"]), int(settings["max"])  # type: ignore[arg-type]  # declared as numbers below
    calls = program.calls_to(*LOADERS)
    if not calls or program.imports("pytest", "unittest"):
        return
    for call in calls:
        values = _workers(program, call)
        if values is None or _is_test(call):
            continue
        known = numbers(values)
        if all(low <= number <= high for number in known) or any(low <= number <= high for number in known):
            continue
        severity = _severity(program, call, max(known) < low)
        if severity is not None:
            yield _report(program, call, values, (low, high), severity)


def _workers(program: Program, call: Call) -> tuple[Value, ...] | None:
    """The possible values of ``num_workers``, None where some are not known."""
    refs, known = choices(program, call, "num_workers")
    values: list[Value] = []
    for ref in refs:
        values.extend(program.resolver.resolve(ref) if ref is not None else (Const(0),))
    return tuple(values) if known and all(_is_number(value) for value in values) else None


def _is_number(value: Value) -> bool:
    if isinstance(value, Setting):
        return bool(value.defaults) and all(_is_number(default) for default in value.defaults)
    return isinstance(value, Const) and isinstance(value.value, int) and not isinstance(value.value, bool)


def _is_test(call: Call) -> bool:
    function = call.block.function
    while function is not None:
        if function.name.startswith("test_"):
            return True
        function = function.parent
    return False


def _severity(program: Program, call: Call, too_few: bool) -> Severity | None:
    """A warning for training, advice elsewhere; None where workers are of no use."""
    datasets, _ = choices(program, call, "dataset")
    for dataset in datasets:
        if dataset is None:
            continue
        if is_iterable_dataset(program, dataset):
            return None
        if too_few and lies_on_device(program, dataset):
            return None
        if too_few and is_tensor_dataset(program, dataset):
            # Samples are rows of a tensor in memory: there is nothing to read or decode.
            return Severity.ADVICE
    role = program.loader_uses.role(call)
    if role == TRAINING or (role != EVALUATION and _is_for_training(program, call)):
        return Severity.WARNING
    return Severity.ADVICE


def _is_for_training(program: Program, call: Call) -> bool:
    """Whether a loader whose loop is not seen draws its samples at random."""
    refs, _ = choices(program, call, "shuffle")
    shuffled = any(ref is not None and program.resolver.truth(ref) is not False for ref in refs)
    samplers = [*choices(program, call, "sampler")[0], *choices(program, call, "batch_sampler")[0]]
    given = [ref for ref in samplers if ref is not None and program.resolver.truth(ref) is not False]
    return shuffled or bool(given)


def _report(
    program: Program, call: Call, values: tuple[Value, ...], limits: tuple[int, int], severity: Severity
) -> Report:
    low, high = limits
    given = any(ref is not None for ref in choices(program, call, "num_workers")[0])
    text = f"`num_workers` is {described(values)}" if given else "`num_workers` is not given, so it is 0"
    if max(numbers(values)) == 0:
        cost = "the training process reads every batch itself, between two steps"
    elif max(numbers(values)) < low:
        cost = "a fast device can outrun the workers"
    else:
        cost = "each worker is a process with its own dataset object and prefetched batches"
    wanted = f"between {low} and {high}" if low < high else f"to {low}"
    return Report(
        call.node,
        f"{text}, outside of {low} to {high}: {cost}.",
        f"Set `num_workers` {wanted}, and not above the number of CPU cores per process.",
        severity=severity,
    )


RULE = Rule(
    code="DNN401",
    name="num-workers-out-of-range",
    severity=Severity.WARNING,
    clause="S3.1.1a",
    check=check,
    options=(
        Option("min", 8, "The smallest number of workers that is not reported."),
        Option("max", 16, "The largest number of workers that is not reported."),
    ),
)
