"""Training loops: where gradients are made and the optimizer steps, with accumulation and the paths of an iteration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dnnlint.program.calling import argument
from dnnlint.program.literals import numbers
from dnnlint.program.paths import Path, PathFinder, TooManyPathsError, has
from dnnlint.program.roles import last_name
from dnnlint.program.spanning import rounds_depend_on_each_other
from dnnlint.program.tree import (
    Activation,
    Event,
    Fork,
    Kind,
    Node,
    Repeat,
    Sequence,
    ancestors,
    contexts_around,
    events,
    inside,
)
from dnnlint.program.values import Element, FunctionValue, Ref, Result, Values
from dnnlint.program.windows import Window, window_of

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions
    from dnnlint.program.resolve import Resolver

_MOST_SOURCES = 16


@dataclass(frozen=True, slots=True)
class Accumulation:
    """How micro-batches make up one optimizer step.

    ``kind``: ``window`` (a test such as ``(i + 1) % n == 0`` guards the step), ``nested`` (an inner loop of
    ``range(n)`` micro-batches) or ``framework`` (``accelerator.accumulate``, a DeepSpeed engine).
    ``factor`` is the expression of the number of micro-batches, where one exists.
    """

    kind: str
    factor: Ref | None = None
    window: Window | None = None
    fork: Fork | None = None
    repeat: Repeat | None = None


@dataclass(slots=True, eq=False, repr=False)
class TrainingLoop:
    """A training loop. ``window`` is the innermost loop with backward and step, ``micro`` the innermost with backward.

    Both are None for a step function whose loop the file does not show. ``body`` is what one iteration runs.
    """

    body: Sequence
    window: Repeat | None
    micro: Repeat | None
    finder: PathFinder
    resolver: Resolver
    has_too_many_paths: bool = False
    """Known once the paths were asked for."""
    _paths: tuple[Path, ...] | None = None
    _accumulation: Accumulation | bool | None = field(default=False)

    def of(self, *kinds: str) -> list[Event]:
        """The events of some kinds anywhere in the iteration, in order."""
        return events(self.body, *kinds)

    @property
    def backwards(self) -> list[Event]:
        """The backward passes."""
        return self.of(Kind.BACKWARD)

    @property
    def steps(self) -> list[Event]:
        """The optimizer steps."""
        return self.of(Kind.STEP)

    @property
    def outer(self) -> list[Repeat]:
        """The loops around the iteration, innermost first: usually the epochs."""
        start: Node = self.window if self.window is not None else self.body
        return [node for node in ancestors(start) if isinstance(node, Repeat)]

    @property
    def paths(self) -> tuple[Path, ...]:
        """The ways one iteration can go; empty where there are too many to tell."""
        if self._paths is None:
            try:
                self._paths = self.finder.paths(self.body)
            except TooManyPathsError:
                self._paths = ()
                self.has_too_many_paths = True
        return self._paths

    @property
    def accumulation(self) -> Accumulation | None:
        """Gradient accumulation, None where every backward is followed by its step (or nothing certain is known)."""
        if isinstance(self._accumulation, bool):
            self._accumulation = _accumulation(self)
        return self._accumulation

    @property
    def conditions(self) -> Conditions:
        """The evaluator of branch tests."""
        return self.finder.conditions

    def decided_by(self, event: Event) -> bool:
        """Whether an event lies in this iteration."""
        return inside(event, self.body)


def training_loops(roots: list[Sequence | Activation], finder: PathFinder, resolver: Resolver) -> list[TrainingLoop]:
    """The training loops of an expanded program, in source order."""
    found: list[TrainingLoop] = []
    for root in roots:
        steps = events(root, Kind.STEP)
        for backward in events(root, Kind.BACKWARD) if steps else ():
            container = _container(backward, steps, root)
            if container is None or any(loop.body is container[0] for loop in found):
                continue
            micro = next((n for n in ancestors(backward) if isinstance(n, Repeat)), None)
            found.append(TrainingLoop(container[0], container[1], micro, finder, resolver))
    return found


def _container(
    backward: Event, steps: list[Event], root: Sequence | Activation
) -> tuple[Sequence, Repeat | None] | None:
    for node in ancestors(backward):
        if isinstance(node, Repeat):
            within = [step for step in steps if inside(step, node)]
            if within:
                # A stray backward beside a loop that trains by itself makes no training loop of the one around both.
                return (node.body, node) if any(not _has_own_loop(step, node) for step in within) else None
    if any(isinstance(node, Repeat) for node in ancestors(backward)) or isinstance(root, Sequence):
        return None
    return root.body, None


def _has_own_loop(step: Event, outer: Repeat) -> bool:
    """Whether a loop inside ``outer`` holds a step together with a backward."""
    for node in ancestors(step):
        if node is outer:
            return False
        if isinstance(node, Repeat) and events(node, Kind.BACKWARD):
            return True
    return False


def _accumulation(loop: TrainingLoop) -> Accumulation | None:
    framework = _framework(loop)
    if framework is not None:
        return framework
    return _nested(loop) or _grouped(loop) or _windowed(loop)


def _framework(loop: TrainingLoop) -> Accumulation | None:
    for backward in loop.backwards:
        if backward.how == "engine":
            return Accumulation("framework")
        for context in contexts_around(backward):
            for value in loop.resolver.resolve(context):
                if isinstance(value, Result) and value.method == "accumulate":
                    return Accumulation("framework")
    return None


def _nested(loop: TrainingLoop) -> Accumulation | None:
    """An inner ``for _ in range(n)`` loop of micro-batches before the step."""
    micro = loop.micro
    if micro is None or micro is loop.window or micro.loop.iterable is None:
        return None
    if not events(micro.body, Kind.BACKWARD) or rounds_depend_on_each_other(micro):
        return None
    for value in loop.resolver.resolve(Ref(micro.loop.iterable, micro.place)):
        made = value
        if isinstance(made, Result) and last_name(made) in ("tqdm", "trange") and made.node.args:
            inner = loop.resolver.resolve(Ref(made.node.args[0].value, made.place))
            made = inner[0] if inner else made
        if isinstance(made, Result) and made.qualified in ("builtins.range", "tqdm.trange") and made.node.args:
            index = 1 if len(made.node.args) > 1 else 0
            factor = Ref(made.node.args[index].value, made.place)
            return Accumulation("nested", factor, repeat=micro)
    return _chunked(loop, micro)


def _chunked(loop: TrainingLoop, micro: Repeat) -> Accumulation | None:
    """An inner loop over the equal chunks of a batch: ``for part in x.chunk(n)``, also zipped."""
    iterable = micro.loop.iterable
    sources = list(loop.resolver.resolve(Ref(iterable, micro.place))) if iterable is not None else []
    for value in sources:
        if isinstance(value, Result) and value.qualified in ("builtins.zip", "builtins.enumerate"):
            if len(sources) > _MOST_SOURCES:
                return None
            sources.extend(v for a in value.node.args for v in loop.resolver.resolve(Ref(a.value, value.place)))
        elif isinstance(value, Result) and (value.method == "chunk" or value.qualified == "torch.chunk"):
            factor = argument(loop.resolver, value.node, value.place, "chunks", 0 if value.method else 1)
            if factor is not None:
                return Accumulation("nested", factor, repeat=micro)
    return None


def _grouped(loop: TrainingLoop) -> Accumulation | None:
    """An inner loop over a group of ``n`` batches: ``for group in grouped(loader, n): for batch in group``."""
    micro, window = loop.micro, loop.window
    if micro is None or window is None or micro is window or not micro.loop.iterable or not window.loop.iterable:
        return None
    groups = {
        value.base.key
        for value in loop.resolver.resolve(Ref(micro.loop.iterable, micro.place))
        if isinstance(value, Element)
    }
    for value in loop.resolver.resolve(Ref(window.loop.iterable, window.place)):
        if isinstance(value, Result) and value.key in groups and _makes_groups(value) and len(value.node.args) > 1:
            factor = Ref(value.node.args[1].value, value.place)
            if any(number > 1 for number in numbers(loop.resolver.resolve(factor))):
                return Accumulation("nested", factor, repeat=micro)
    return None


def _makes_groups(value: Result) -> bool:
    """Whether a call makes groups out of an iterable: a generator of the file, or a library function for it."""
    if isinstance(value.callee, FunctionValue):
        return value.callee.function.is_generator
    return last_name(value) in ("batched", "chunked", "partition_all", "ichunked")


def _windowed(loop: TrainingLoop) -> Accumulation | None:
    """A branch with a window test that some iterations take to the step and others do not."""
    with_backward = [p for p in loop.paths if has(p, Kind.BACKWARD)]
    stepping = [p for p in with_backward if has(p, Kind.STEP)]
    waiting = [p for p in with_backward if not has(p, Kind.STEP) and p.left not in ("break", "return")]
    if not stepping or not waiting:
        return None
    for fork, _ in waiting[0].taken:
        test = fork.test
        window = window_of(loop.conditions, test) if test is not None else None
        if window is not None and _separates(fork, stepping, waiting):
            return Accumulation("window", window.divisor, window, fork)
    return None


def _separates(fork: Fork, stepping: list[Path], waiting: list[Path]) -> bool:
    """Whether the side taken at a branch decides between stepping and waiting."""
    sides = {dict(path.taken).get(fork) for path in stepping} - {None}
    others = {dict(path.taken).get(fork) for path in waiting} - {None}
    return len(sides) == 1 and bool(others - sides)


def window_end(accumulation: Accumulation, path: Path) -> bool | None:
    """Whether a path takes the side of the window test that ends the window; None where it does not meet it."""
    if accumulation.fork is None or accumulation.window is None:
        return None
    side = dict(path.taken).get(accumulation.fork)
    return None if side is None else side is accumulation.window.holds


def optimizers_of(loop: TrainingLoop) -> list[Values]:
    """The optimizers stepped in a loop, one entry for each object."""
    found: dict[frozenset[object], Values] = {}
    for step in loop.steps:
        key = frozenset(value.key for value in step.targets)
        found.setdefault(key, step.targets)
    return list(found.values())
