"""DNN603: a DistributedSampler that is never told the epoch."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.calling import argument
from dnnlint.program.roles import last_name, site
from dnnlint.program.tree import Repeat
from dnnlint.program.unknown_calls import is_library
from dnnlint.program.values import ClassValue, Const, FunctionValue, Member, Object, Ref, Result, Value, Values
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_SAMPLERS = (
    "torch.utils.data.DistributedSampler",
    "torch.utils.data.distributed.DistributedSampler",
)
# Iterating over these is iterating over their first argument.
_WRAPPERS = frozenset("enumerate tqdm iter next zip islice track cycle reversed auto".split())
# These run the loader, and tell its sampler the epoch.
_FRAMEWORKS = ("accelerate", "lightning", "pytorch_lightning", "lightning_fabric", "deepspeed", "ignite", "composer")
_IN_FILE = (FunctionValue, ClassValue, Object)
_MAX_DEPTH = 6


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the epoch loop over a loader whose DistributedSampler gets no set_epoch()."""
    if not program.calls_to(*_SAMPLERS) or program.imports(*_FRAMEWORKS):
        return
    for training in program.training_loops:
        for loader, sampler, epochs in _epochs(program, training):
            if not _is_told(program, loader, sampler):
                yield _report(program, sampler, epochs)


def _epochs(program: Program, training: TrainingLoop) -> Iterator[tuple[Result, Result, Repeat]]:
    """The sampled loaders that a training loop runs over, each with its sampler and the loop of the epochs."""
    loops = [*([training.window] if training.window is not None else []), *training.outer]
    for index, loop in enumerate(loops[:-1]):
        if loop.loop.iterable is None:
            continue
        for loader in _loaders(program, Ref(loop.loop.iterable, loop.place), 0):
            sampler = _sampler(program, loader)
            if sampler is not None and not _runs_once(program, loops[index + 1]):
                yield loader, sampler, loops[index + 1]


def _loaders(program: Program, ref: Ref, depth: int) -> Iterator[Result]:
    """The DataLoaders behind an iterable."""
    for value in program.resolver.resolve(ref):
        if not isinstance(value, Result) or depth > _MAX_DEPTH:
            continue
        if last_name(value) == "DataLoader" and value.qualified.startswith("torch."):
            yield value
        elif last_name(value) in _WRAPPERS:
            for argument in value.node.args:
                yield from _loaders(program, Ref(argument.value, value.place), depth + 1)


def _sampler(program: Program, loader: Result) -> Result | None:
    """The shuffling DistributedSampler of a loader, also inside a batch sampler."""
    for name in ("sampler", "batch_sampler"):
        for value in _argument(program, loader, name):
            inner = _argument(program, value, "sampler", 0) if name == "batch_sampler" else (value,)
            for sampler in inner:
                shuffles = _argument(program, sampler, "shuffle", 3) != (Const(False),)
                if shuffles and isinstance(sampler, Result) and sampler.qualified in _SAMPLERS:
                    return sampler
    return None


def _argument(program: Program, made: Value, name: str, position: int = -1) -> Values:
    if not isinstance(made, Result):
        return ()
    given = argument(program.resolver, made.node, made.place, name, position)
    return program.resolver.resolve(given) if given is not None else ()


def _runs_once(program: Program, epochs: Repeat) -> bool:
    if epochs.loop.iterable is None:
        return False
    for value in program.resolver.resolve(Ref(epochs.loop.iterable, epochs.place)):
        if isinstance(value, Result) and value.qualified == "builtins.range" and len(value.node.args) == 1:
            return program.resolver.resolve(Ref(value.node.args[0].value, value.place)) == (Const(1),)
    return False


def _is_told(program: Program, loader: Result, sampler: Result) -> bool:
    """Whether set_epoch() is called on the sampler, on something unknown, or may be in another file."""
    for call in program.resolver.sites_named("set_epoch"):
        func = call.node.func
        if isinstance(func, cst.Attribute):
            values = program.resolve(func.value, call)
            if not values or any(_may_be(program, value, loader, sampler) for value in values):
                return True
    ours = {site(loader), site(sampler)}
    return any(_hands_over(program, call, ours) for call in program.facts.calls)


def _may_be(program: Program, value: Value, loader: Result, sampler: Result) -> bool:
    if isinstance(value, Result) and value.qualified in _SAMPLERS:
        return site(value) == site(sampler)
    if isinstance(value, Member) and isinstance(value.base, Result) and last_name(value.base) == "DataLoader":
        other = _sampler(program, value.base)
        return site(value.base) == site(loader) or other is None or site(other) == site(sampler)
    return True


def _hands_over(program: Program, call: Call, ours: set[Hashable]) -> bool:
    """Whether an unknown function gets the loader or the sampler."""
    given = [a.value for a in call.node.args if isinstance(a.value, (cst.Name, cst.Attribute))]
    if not given or not any(site(v) in ours for node in given for v in program.resolve(node, call)):
        return False
    callee = program.resolve(call.node.func, call)
    return not all(isinstance(value, _IN_FILE) or is_library(value) for value in callee)


def _report(program: Program, sampler: Result, epochs: Repeat) -> Report:
    return Report(
        epochs.loop.node,
        f"The loop runs several epochs, and nothing calls `set_epoch()` on {quoted(program, sampler.node)}: every "
        "epoch repeats the order of the first.",
        "Call `sampler.set_epoch(epoch)` at the start of each epoch.",
    )


RULE = Rule(
    code="DNN603",
    name="missing-set-epoch",
    severity=Severity.ERROR,
    clause="S3.1.1b",
    check=check,
)
