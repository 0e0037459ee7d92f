"""The expanded program: control flow with the calls of project functions put in place, down to events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from dnnlint.facts import Assign, Branch, Call, Function, Loop, With
from dnnlint.program.values import Frame, Place, Ref, Values


class Kind:
    """What an event does."""

    FORWARD = "forward"
    BACKWARD = "backward"
    STEP = "step"
    ZERO_GRAD = "zero-grad"
    UNSCALE = "unscale"
    UPDATE = "update"
    CLIP = "clip"
    READ_GRADIENTS = "read-gradients"
    SCHEDULE = "schedule"
    TRAIN_MODE = "train-mode"
    EVAL_MODE = "eval-mode"
    EMPTY_CACHE = "empty-cache"
    SET_EPOCH = "set-epoch"
    SAVE = "save"
    LOAD = "load"
    OPAQUE = "opaque"


@dataclass(slots=True, eq=False, repr=False)
class Event:
    """Something a training program does. The meaning of the fields depends on the kind:

    ``targets``: the optimizer of a step, unscale or zero_grad; the model of a forward, a mode or a clip; the
    scheduler of a schedule; what an opaque call touches. ``scaler``: the gradient scaler of a scaled backward, step,
    unscale or update. ``loss``: the loss expression of a backward. ``how``: ``plain``, ``scaler``, ``accelerator``,
    ``engine``, ``apex``, ``manual`` (hand-written gradient code) or ``function`` (torch.autograd.backward); a
    train mode is ``unknown`` where its argument may be False (``model.train(was_training)``).
    """

    kind: str
    call: Call | Assign
    place: Place
    parent: Node | None
    targets: Values = ()
    scaler: Values = ()
    loss: Ref | None = None
    how: str = "plain"


@dataclass(slots=True, eq=False, repr=False)
class Sequence:
    """Nodes that run one after the other."""

    parent: Node | None
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True, eq=False, repr=False)
class Fork:
    """A branch; ``test`` is None for a ``match`` case."""

    parent: Node | None
    branch: Branch
    place: Place
    then: Sequence
    orelse: Sequence

    @property
    def test(self) -> Ref | None:
        """The condition at its place."""
        return Ref(self.branch.test, self.place) if self.branch.test is not None else None


@dataclass(slots=True, eq=False, repr=False)
class Repeat:
    """A loop."""

    parent: Node | None
    loop: Loop
    place: Place
    body: Sequence
    orelse: Sequence


@dataclass(slots=True, eq=False, repr=False)
class Scoped:
    """A ``with`` statement."""

    parent: Node | None
    statement: With
    place: Place
    body: Sequence

    @property
    def contexts(self) -> tuple[Ref, ...]:
        """The context expressions at their place."""
        return tuple(Ref(node, self.place) for node in self.statement.contexts)


@dataclass(slots=True, eq=False, repr=False)
class Attempt:
    """A ``try`` statement: body, handlers, the rest."""

    parent: Node | None
    body: Sequence
    handlers: list[Sequence]
    rest: Sequence


@dataclass(slots=True, eq=False, repr=False)
class Activation:
    """A project function put in place of its call; ``call`` is None for a root function."""

    parent: Node | None
    function: Function
    frame: Frame
    call: Call | None
    body: Sequence


@dataclass(slots=True, eq=False, repr=False)
class Leave:
    """``return``, ``break``, ``continue``, ``raise`` or ``yield``."""

    parent: Node | None
    kind: str


Node = Union[Event, Sequence, Fork, Repeat, Scoped, Attempt, Activation, Leave]


def children_of(node: Node) -> tuple[Node, ...] | list[Node]:
    """The nodes directly inside a node, in order."""
    if isinstance(node, Sequence):
        return node.children
    if isinstance(node, Fork):
        return (node.then, node.orelse)
    if isinstance(node, Repeat):
        return (node.body, node.orelse)
    if isinstance(node, Attempt):
        return (node.body, *node.handlers, node.rest)
    if isinstance(node, (Scoped, Activation)):
        return (node.body,)
    return ()


def walk(node: Node) -> Iterator[Node]:
    """A node and everything inside it, in evaluation order."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if not isinstance(current, (Event, Leave)):
            stack.extend(reversed(children_of(current)))


def events(node: Node, *kinds: str) -> list[Event]:
    """The events inside a node, all of them or those of some kinds, in evaluation order."""
    return [n for n in walk(node) if isinstance(n, Event) and (not kinds or n.kind in kinds)]


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around a node, from the inside out."""
    current = node.parent
    while current is not None:
        yield current
        current = current.parent


def loops_around(node: Node) -> list[Repeat]:
    """The loops around a node, innermost first, also those of callers."""
    return [n for n in ancestors(node) if isinstance(n, Repeat)]


def contexts_around(node: Node) -> list[Ref]:
    """The contexts active at a node, innermost first: ``with`` blocks and decorators, also those of callers."""
    found: list[Ref] = []
    for outer in ancestors(node):
        if isinstance(outer, Scoped):
            found.extend(reversed(outer.contexts))
        elif isinstance(outer, Activation):
            function = outer.function
            frame = outer.frame.closure or outer.frame
            place = Place(frame, function.place, function.order)
            found.extend(Ref(decorator, place) for decorator in function.decorators)
    return found


def guards_around(node: Node, until: Node | None = None) -> list[tuple[Fork, bool]]:
    """The branches a node stands in, innermost first, each with the side taken; up to (without) ``until``."""
    found = []
    inner: Node = node
    for outer in ancestors(node):
        if outer is until:
            break
        if isinstance(outer, Fork):
            found.append((outer, inner is outer.then))
        inner = outer
    return found


def inside(node: Node, outer: Node) -> bool:
    """Whether a node lies inside another one."""
    return any(found is outer for found in ancestors(node))
