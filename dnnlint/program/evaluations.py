"""Evaluation: forward passes that no backward follows, with the call that put the model into evaluation mode."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.program.roles import site, unwrap
from dnnlint.program.tree import Activation, Event, Kind, Repeat, ancestors, events, inside, loops_around, walk
from dnnlint.program.values import ClassValue, Member, Object, Place, Ref, Result, Values

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.tree import Node

_EVALUATION_NAME = re.compile(r"(?:^|[^a-z])(?:val(?!ue)|eval|test|dev(?!ice))")


# Unknown functions with such names get a model or an optimizer and change neither mode nor gradients.
_HARMLESS = re.compile(
    r"save|log|checkpoint|metric|plot|sample|print|summar|schedul|adjust|(?:^|_)(?:eval|valid|test|ema|lr)", re.I
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A forward pass of an evaluation.

    ``switched`` is the ``eval()`` in force, None where there is none. ``region`` is the innermost loop, or the loop or
    function whose name says that it evaluates a model that the program trains elsewhere.
    """

    forward: Event
    switched: Event | None
    region: Node
    at: Event | Activation
    """What the evaluation itself calls: the forward pass, or a function around it that training shares."""
    in_module: bool = False
    """Whether a method of a network runs the forward pass: the mode is up to whoever holds that network."""

    @property
    def call(self) -> Call:
        """The call in the evaluation."""
        assert isinstance(self.at.call, Call)
        return self.at.call


@dataclass(slots=True)
class _Period:
    """From one ``eval()`` of a model to its next mode switch."""

    switch: Event
    forwards: list[Event] = field(default_factory=list)
    trains: bool = False


def model_sites(program: Program, values: Values) -> frozenset[Hashable]:
    """The identities of models without call context and without wrappers."""
    return frozenset(site(inner) for value in values for inner in unwrap(program.resolver, value))


def _sites_of(program: Program, forward: Event) -> frozenset[Hashable]:
    """The network that runs and those it is a part of: ``model`` of ``model.encoder(x)``."""
    sites = model_sites(program, forward.targets)
    func = getattr(forward.call.node, "func", None)
    while isinstance(func, cst.Attribute):
        func = func.value
        holders = program.resolver.resolve(Ref(func, forward.place))
        sites |= model_sites(program, tuple(value for value in holders if program.roles.is_model(value)))
    return sites


class _Callers:
    """Which functions between a forward pass and its evaluation belong to training too, or to a network."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @cached_property
    def _shared(self) -> frozenset[int]:
        loops = self._program.training_loops
        nodes = (node for loop in loops for node in walk(loop.window.body if loop.window is not None else loop.body))
        return frozenset(id(node.function) for node in nodes if isinstance(node, Activation))

    def complete(self, found: Evaluation) -> Evaluation:
        """The evaluation with what it calls itself."""
        at: Event | Activation = found.forward
        in_module = False
        for outer in ancestors(found.forward):
            if isinstance(outer, Activation):
                if found.switched is not None and inside(found.switched, outer):
                    break
                of_module = self._is_method_of_module(outer)
                in_module = in_module or of_module
                shared = of_module or id(outer.function) in self._shared
                if outer is not found.region and shared and isinstance(outer.call, Call):
                    at = outer
            if outer is found.region:
                break
        return replace(found, at=at, in_module=in_module)

    def _is_method_of_module(self, outer: Activation) -> bool:
        owner = outer.function.owner
        if owner is None:
            return False
        place = Place(self._program.resolver.module_frame(owner.scope), owner.place, owner.order)
        return self._program.roles.is_module_class(ClassValue(owner, place))


def evaluations(program: Program) -> list[Evaluation]:
    """The evaluation forward passes of a program, in source order, at most one entry for each event."""
    found: list[Evaluation] = []
    by_name = _ByName(program)
    for root in program.roots:
        periods = _periods(program, root)
        switches = {id(forward): period.switch for period in periods for forward in period.forwards}
        switched = [entry for period in periods for entry in _of_period(period)]
        covered = {id(entry.forward) for entry in switched}
        found.extend(switched)
        found.extend(e for e in by_name.of(root, switches) if id(e.forward) not in covered)
    callers = _Callers(program)
    return [callers.complete(entry) for entry in found]


def _of_period(period: _Period) -> Iterator[Evaluation]:
    for forward in period.forwards:
        loops = loops_around(forward)
        if loops and not _is_trained(period, forward, loops[0]):
            yield Evaluation(forward, period.switch, loops[0], forward)


def _periods(program: Program, root: Node) -> list[_Period]:
    closed: list[_Period] = []
    current: dict[Hashable, _Period] = {}
    for node in walk(root):
        if not isinstance(node, Event):
            continue
        if node.kind in (Kind.EVAL_MODE, Kind.TRAIN_MODE):
            sites = model_sites(program, node.targets)
            for key in [key for key in current if key in sites]:
                del current[key]
            if node.kind == Kind.EVAL_MODE:
                period = _Period(node)
                closed.append(period)
                current.update(dict.fromkeys(sites, period))
        elif node.kind == Kind.FORWARD and current:
            for key in _sites_of(program, node) & current.keys():
                current[key].forwards.append(node)
        elif node.kind == Kind.BACKWARD:
            for period in current.values():
                period.trains = True
    return closed


def _is_trained(period: _Period, forward: Event, loop: Repeat) -> bool:
    """Whether a backward may use the forward pass."""
    around = next((outer for outer in ancestors(period.switch) if isinstance(outer, Activation)), None)
    if around is not None and inside(forward, around) and inside(loop, around):
        # Nothing leaves the loop of an evaluation function but sums and lists.
        return period.trains and bool(events(around, Kind.BACKWARD, Kind.STEP))
    return period.trains


class _ByName:
    """Forward passes of a trained model in a loop or function named as an evaluation that trains nothing."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._trains: dict[int, bool] = {}

    @cached_property
    def _trained(self) -> frozenset[Hashable]:
        loops = self._program.training_loops
        forwards = (forward for loop in loops for forward in loop.of(Kind.FORWARD))
        return frozenset().union(*(model_sites(self._program, forward.targets) for forward in forwards))

    def of(self, root: Node, switches: dict[int, Event]) -> Iterator[Evaluation]:
        """Those in one root; ``switches`` has the ``eval()`` in force at forward passes."""
        program = self._program
        for forward in events(root, Kind.FORWARD):
            region = self._region(forward)
            if region is None or not model_sites(program, forward.targets) & self._trained:
                continue
            switch = switches.get(id(forward))
            if switch is not None or not _mode_is_set(program, root, forward, region):
                yield Evaluation(forward, switch, region, forward)

    def _region(self, forward: Event) -> Node | None:
        if not loops_around(forward):
            return None
        for outer in ancestors(forward):
            if isinstance(outer, (Repeat, Activation)):
                if self._is_training(outer):
                    return None
                if _is_named(self._program, outer):
                    return outer
        return None

    def _is_training(self, node: Node) -> bool:
        if id(node) not in self._trains:
            self._trains[id(node)] = bool(events(node, Kind.BACKWARD, Kind.STEP))
        return self._trains[id(node)]


def _is_named(program: Program, node: Node) -> bool:
    if isinstance(node, Activation):
        return _EVALUATION_NAME.search(node.function.name.lower()) is not None
    if isinstance(node, Repeat) and node.loop.iterable is not None:
        return _EVALUATION_NAME.search(program.module.code_for_node(node.loop.iterable).lower()) is not None
    return False


def _mode_is_set(program: Program, root: Node, forward: Event, region: Node) -> bool:
    """Whether a mode of the model is chosen in the region, or an enclosing object switches itself."""
    sites = _sites_of(program, forward)
    for event in events(region, Kind.TRAIN_MODE, Kind.EVAL_MODE):
        if model_sites(program, event.targets) & sites:
            return True
    for event in events(root, Kind.EVAL_MODE):
        if any(_holds(owner, target) for owner in event.targets for target in forward.targets):
            return True
    return False


def _holds(owner: object, target: object) -> bool:
    """``self.eval()`` also switches the networks that ``self`` holds."""
    if not isinstance(owner, Object):
        return False
    return isinstance(target, Member) and isinstance(target.base, Object) and target.base.cls is owner.cls


def leaves_models_alone(event: Event) -> bool:
    """Whether an unknown call is named like one that leaves mode and gradients of its arguments as they are."""
    return _HARMLESS.search(getattr(event.call, "attribute", "")) is not None


def models_trained_by(program: Program, optimizer: Values) -> set[Hashable]:
    """The models whose ``parameters()`` an optimizer was given; empty where the file does not show it."""
    found: set[Hashable] = set()
    for value in optimizer:
        if isinstance(value, Result) and value.node.args:
            for given in program.resolver.resolve(Ref(value.node.args[0].value, value.place)):
                base = getattr(given.callee, "base", None) if isinstance(given, Result) else None
                if base is not None and isinstance(given, Result) and given.method == "parameters":
                    found |= {site(inner) for inner in unwrap(program.resolver, base)}
    return found
