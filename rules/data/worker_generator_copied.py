"""DNN406: every worker draws the same random numbers, from its copy of the dataset's generator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, Class
from dnnlint.finding import Severity
from dnnlint.program.contents import calls_of
from dnnlint.program.loader_arguments import is_absent
from dnnlint.program.loaders import LOADERS
from dnnlint.program.values import Member, Object, Place, Ref, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.program.workers import datasets, has_workers, worker_functions
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_GENERATORS = frozenset(
    {
        "numpy.random.RandomState",
        "numpy.random.default_rng",
        "numpy.random.Generator",
        "random.Random",
        "torch.Generator",
    }
)
# What tells one worker from another, or seeds by position.
_SEEDING = ("initial_seed", "get_worker_info", "seed", "manual_seed", "setstate", "set_state")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report generators that a dataset makes once and its workers draw from."""
    for loader in program.calls_to(*LOADERS):
        if not has_workers(program, loader) or not is_absent(program, loader, "worker_init_fn"):
            continue
        for dataset in datasets(program, loader):
            for maker in _copied(program, loader, dataset):
                yield Report(
                    maker.node,
                    f"{quoted(program, maker.node)} is copied into every worker of {quoted(program, loader.node, 40)}: "
                    "all of them draw the same numbers.",
                    "Seed the generator from `torch.initial_seed()` in the worker, for example in `worker_init_fn`.",
                )


def _copied(program: Program, loader: Call, dataset: Object) -> Iterator[Result]:
    classes = program.resolver.lineage(dataset.cls)[0]
    functions = worker_functions(program, loader)
    ids = {id(function) for function, _ in functions}
    inside = [call for function, _ in functions for call in calls_of(function)]
    if any(call.attribute in _SEEDING for call in inside):
        return
    frames = {id(function): place.frame for function, place in functions}
    for name in _generators(classes):
        if any(id(method) in ids for cls in classes for _, method in cls.attributes.get(name, ())):
            continue
        for call in inside:
            drawn = _draws_from(call, name)
            if drawn is not None:
                place = Place(frames[id(call.block.function)], call.block, call.order)
                makers = [_maker(value) for value in program.resolver.resolve(Ref(drawn, place))]
                if makers and all(makers):
                    yield from (maker for maker in makers if maker is not None)
                    break


def _maker(value: Value) -> Result | None:
    """The call that made a generator; ``torch.Generator().manual_seed(0)`` returns the generator itself."""
    if isinstance(value, Result) and value.method == "manual_seed" and isinstance(value.callee, Member):
        value = value.callee.base
    return value if isinstance(value, Result) and value.qualified in _GENERATORS else None


def _generators(classes: list[Class]) -> list[str]:
    return list(dict.fromkeys(name for cls in classes for name in cls.attributes))


def _draws_from(call: Call, name: str) -> cst.BaseExpression | None:
    """``self.rng`` in ``self.rng.random()`` and ``torch.rand(3, generator=self.rng)``."""
    func = call.node.func
    given = [func.value] if isinstance(func, cst.Attribute) else []
    given.extend(a.value for a in call.node.args if a.keyword is not None and a.keyword.value == "generator")
    return next((node for node in given if isinstance(node, cst.Attribute) and node.attr.value == name), None)


RULE = Rule(
    code="DNN406",
    name="worker-generator-copied",
    severity=Severity.WARNING,
    clause="S3.1.1a",
    check=check,
)
