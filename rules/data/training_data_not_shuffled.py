"""DNN404: training batches that come in the order of the dataset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import mentions
from dnnlint.finding import Severity
from dnnlint.program.datasets import is_iterable_dataset
from dnnlint.program.loader_arguments import is_absent, is_off
from dnnlint.program.loader_roles import TRAINING
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.values import Element, Member, Object, Ref, Result, Value
from dnnlint.rule import Option, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call, Class
    from dnnlint.program import Program


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report loaders of training loops that neither shuffle nor have a sampler."""
    if settings["ordered-data"]:
        return
    for call in program.calls_to(*LOADERS):
        if not is_off(program, call, "shuffle") or program.loader_uses.role(call) != TRAINING:
            continue
        if not is_absent(program, call, "sampler") or not is_absent(program, call, "batch_sampler"):
            continue
        if _has_its_own_order(program, call) or _takes_all_at_once(program, call):
            continue
        given = any(ref is not None for ref in choices(program, call, "shuffle")[0])
        state = "`shuffle` is False" if given else "`shuffle` is not given, so it is False"
        yield Report(
            call.node,
            f"{state}: training sees the samples in the order of the dataset, in every pass over it.",
            "Set `shuffle=True`, or give a sampler.",
        )


def _has_its_own_order(program: Program, call: Call) -> bool:
    """Whether the dataset streams, was shuffled, or draws its samples at random whatever the index."""
    for dataset in choices(program, call, "dataset")[0]:
        if dataset is None or is_iterable_dataset(program, dataset):
            return True
        for value in program.resolver.resolve(dataset):
            if _is_shuffled(value) or _may_stream(value):
                return True
            if isinstance(value, Object):
                return any(_ignores_index(cls) for cls in program.resolver.lineage(value.cls)[0])
    return False


def _is_shuffled(value: Value) -> bool:
    """``load_dataset(...).shuffle(seed=0)`` anywhere in a chain of methods."""
    while isinstance(value, Result) and isinstance(value.callee, Member):
        if value.callee.name == "shuffle":
            return True
        value = value.callee.base
    return False


def _may_stream(value: Value) -> bool:
    """Whether a dataset is one of ``torchtext``, alone or of several splits: these are streams in most versions."""
    made = value.base if isinstance(value, Element) else value
    return isinstance(made, Result) and made.qualified.startswith("torchtext.")


def _ignores_index(cls: Class) -> bool:
    method = cls.methods.get("__getitem__")
    if method is None or len(method.parameters) < 2:
        return False
    index = method.parameters[1].name
    return not mentions(method.node.body, index)


def _takes_all_at_once(program: Program, call: Call) -> bool:
    """Full-batch training: ``batch_size=len(dataset)``."""
    for ref in choices(program, call, "batch_size")[0]:
        values = program.resolver.resolve(Ref(ref.node, ref.place)) if ref is not None else ()
        if any(isinstance(value, Result) and value.qualified == "builtins.len" for value in values):
            return True
    return False


RULE = Rule(
    code="DNN404",
    name="training-data-not-shuffled",
    severity=Severity.WARNING,
    clause="S3.1.1a",
    check=check,
    options=(
        Option(
            "ordered-data", False, "Whether the order of the samples matters, as in time series; nothing is reported."
        ),
    ),
)
