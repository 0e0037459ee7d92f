"""Builds the expanded program: from blocks of facts to a tree of events, project calls put in place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import (
    Assign,
    Block,
    Branch,
    Call,
    Facts,
    Function,
    Jump,
    Loop,
    Try,
    With,
    qualified_names,
)
from dnnlint.program.attributes import member
from dnnlint.program.calling import MAX_DEPTH
from dnnlint.program.calls import behind_partials, partial_target
from dnnlint.program.classify import Classifier, forward_event
from dnnlint.program.clips import may_be_clip
from dnnlint.program.libraries import is_known
from dnnlint.program.relevance import DUNDER, relevant_functions
from dnnlint.program.tree import Activation, Attempt, Event, Fork, Kind, Leave, Node, Repeat, Scoped, Sequence, events
from dnnlint.program.unknown_calls import opaque_event
from dnnlint.program.values import (
    ClassValue,
    Frame,
    FunctionValue,
    Object,
    Place,
    Ref,
    Result,
    Value,
    Values,
)

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver
    from dnnlint.program.roles import Roles

_MAX_NODES = 20_000
_NODES_A_FILE = 200
_MOST_COPIES = 2
_LARGE = 40
"""A function with more nodes is put in place of its calls a few times; after that a call of it may do anything."""
# Library functions that run a function they are given.
_RUNNERS = frozenset("spawn start_processes Process Thread launch notebook_launcher run main map step".split())


class Expander:
    """Expands the module and every function that nothing else reaches."""

    def __init__(self, resolver: Resolver, roles: Roles) -> None:
        self.resolver = resolver
        self.classifier = Classifier(resolver, roles)
        self.relevant = relevant_functions([unit.facts for unit in resolver.linker.units])
        self.expanded: set[int] = set()
        self._stack: list[Function] = []
        self._nodes = 0
        self._most = _MAX_NODES + _NODES_A_FILE * (len(resolver.linker.units) - 1)
        self._costs: dict[int, tuple[int, int]] = {}
        """How often each function was put in place, and how many nodes that took the last time."""

    def roots(self) -> list[Sequence | Activation]:
        """The expanded modules, then each relevant function that was not reached from a root before it.

        A function means what its callers make of it, and only one that none of them reaches stands for itself. What a
        program too large for the limit has beyond it is left out, the root that hits the limit as well: a loop that is
        cut off may seem to lack what stands behind the cut.
        """
        found: list[Sequence | Activation] = []
        for root in self._all_roots():
            if self._nodes > self._most:
                break
            found.append(root)
        return found

    def _all_roots(self) -> Iterator[Sequence | Activation]:
        units = self.resolver.linker.units
        for unit in units:
            body = unit.facts.body
            yield self._block(body, self.resolver.module_frame(body.scope), None)
        for unit in units:
            yield from self._unreached(unit.facts)

    def _unreached(self, facts: Facts) -> Iterator[Activation]:
        called = {call.attribute for call in facts.calls}
        pending = [f for f in facts.functions if id(f) in self.relevant]
        # Objects are called without the name of ``__call__``: such methods are roots only where nothing reached them.
        uncalled = [f for f in pending if f.name not in called and f.name not in DUNDER]
        candidates = [f for f in (*uncalled, *pending) if f.name not in ("<lambda>", "forward")]
        # What another script calls means what that one makes of it.
        siblings = self.resolver.linker.siblings
        candidates = [f for f in candidates if not any(f.name in sibling.sites for sibling in siblings)]
        for function in candidates:
            # Expanding one root may reach the next: the test is made when its turn comes.
            if id(function) not in self.expanded:
                yield self._activate(FunctionValue(function, None), None, None, None)

    def _block(self, block: Block, frame: Frame, parent: Node | None) -> Sequence:
        sequence = Sequence(parent)
        for item in block.items:
            if self._nodes > self._most:
                break
            node = self._item(item, frame, sequence)
            if node is not None:
                self._nodes += 1
                sequence.children.append(node)
        return sequence

    def _optional(self, block: Block | None, frame: Frame, parent: Node) -> Sequence:
        return self._block(block, frame, parent) if block is not None else Sequence(parent)

    def _item(self, item: object, frame: Frame, parent: Node) -> Node | None:
        if isinstance(item, Call):
            return self._call(item, frame, parent)
        if isinstance(item, Assign):
            event = self.classifier.of_assign(item, Place(frame, item.block, item.order))
            return _adopt(event, parent)
        if isinstance(item, Branch):
            return self._branch(item, frame, parent)
        if isinstance(item, Loop):
            return self._loop(item, frame, parent)
        if isinstance(item, With):
            scoped = Scoped(parent, item, Place(frame, item.block, item.order), Sequence(None))
            scoped.body = self._block(item.body, frame, scoped)
            return scoped if scoped.body.children else None
        if isinstance(item, Try):
            return self._try(item, frame, parent)
        return Leave(parent, item.kind) if isinstance(item, Jump) and item.kind != "yield" else None

    def _branch(self, item: Branch, frame: Frame, parent: Node) -> Node | None:
        empty = Sequence(None)
        fork = Fork(parent, item, Place(frame, item.block, item.order), empty, empty)
        fork.then = self._block(item.then, frame, fork)
        fork.orelse = self._optional(item.orelse, frame, fork)
        return fork if fork.then.children or fork.orelse.children else None

    def _loop(self, item: Loop, frame: Frame, parent: Node) -> Node | None:
        empty = Sequence(None)
        repeat = Repeat(parent, item, Place(frame, item.block, item.order), empty, empty)
        repeat.body = self._block(item.body, frame, repeat)
        repeat.orelse = self._optional(item.orelse, frame, repeat)
        kept = any(not isinstance(c, Leave) for c in (*repeat.body.children, *repeat.orelse.children))
        return repeat if kept else None

    def _try(self, item: Try, frame: Frame, parent: Node) -> Node | None:
        attempt = Attempt(parent, Sequence(None), [], Sequence(None))
        attempt.body = self._block(item.body, frame, attempt)
        attempt.handlers = [self._block(handler, frame, attempt) for handler in item.handlers]
        attempt.rest = self._optional(item.orelse, frame, attempt)
        attempt.rest.children.extend(self._optional(item.final, frame, attempt.rest).children)
        parts = (attempt.body, attempt.rest, *attempt.handlers)
        return attempt if any(part.children for part in parts) else None

    def _call(self, call: Call, frame: Frame, parent: Node) -> Node | None:
        place = Place(frame, call.block, call.order)
        event = self.classifier.of_call(call, place)
        if event is not None and event.kind == Kind.CLIP and event.how != "manual":
            return self._own_clip(call, place, parent) or _adopt(event, parent)
        if event is not None:
            return self._with_closure(call, place, event, parent)
        if _is_plain_library(call) and not self._is_of_project(call):
            return self._run_argument(call, place, parent) if call.attribute in _RUNNERS else None
        callee = self.resolver.resolve(Ref(call.node.func, place))
        inner = self._activations(callee, call, place, parent)
        if inner is not None:
            return inner
        if may_be_clip(behind_partials(self.resolver, callee)):
            return _adopt(self.classifier.clip(call, place), parent)
        found = forward_event(self.classifier, callee, call, place) or opaque_event(
            self.classifier, callee, call, place
        )
        return _adopt(found, parent) or self._run_argument(call, place, parent)

    def _is_of_project(self, call: Call) -> bool:
        """Whether a file of the project has the name of the library, as ``evaluate.py`` has."""
        linker = self.resolver.linker
        unit = linker.unit_of(call.block.scope)
        return any(linker.find(name, unit) is not None for name in qualified_names(call))

    def _own_clip(self, call: Call, place: Place, parent: Node) -> Node | None:
        """A project function with the name of a clipping function: what it does, where that shows a clip."""
        inner = self._activations(self.resolver.resolve(Ref(call.node.func, place)), call, place, parent)
        return inner if inner is not None and events(inner, Kind.CLIP) else None

    def _with_closure(self, call: Call, place: Place, event: Event, parent: Node) -> Node:
        """``optimizer.step(closure)`` runs the closure first."""
        if event.kind != "step" or not call.node.args:
            return _adopt(event, parent) or event
        sequence = Sequence(parent)
        for argument in call.node.args:
            for value in self.resolver.resolve(Ref(argument.value, place)):
                closure = self._function_behind(value)
                if closure is not None and id(closure.function) in self.relevant:
                    sequence.children.append(self._activate(closure, None, None, sequence))
        _adopt(event, sequence)
        sequence.children.append(event)
        return sequence

    def _activations(self, callee: Values, call: Call, place: Place, parent: Node) -> Node | None:
        targets = [t for t in (self._function_behind(v) for v in callee) if t is not None]
        targets = [t for t in targets if id(t.function) in self.relevant and not _is_forward(t)]
        if not targets or place.frame.depth >= MAX_DEPTH or any(self._is_worn(t) for t in targets):
            return None
        if len(targets) == 1:
            return self._activate(targets[0], call, place, parent)
        branch = Branch(call.node, None, call.block, call.order, call.block, None)
        fork = Fork(parent, branch, place, Sequence(None), Sequence(None))
        fork.then, fork.orelse = Sequence(fork), Sequence(fork)
        fork.then.children.append(self._activate(targets[0], call, place, fork.then))
        rest = self._activate(targets[1], call, place, fork.orelse)
        fork.orelse.children.append(rest)
        return fork

    def _is_worn(self, target: FunctionValue) -> bool:
        count, size = self._costs.get(id(target.function), (0, 0))
        return count >= _MOST_COPIES and size > _LARGE

    def _function_behind(self, value: Value) -> FunctionValue | None:
        if isinstance(value, FunctionValue):
            return value
        name = "__init__" if isinstance(value, ClassValue) else "__call__"
        if isinstance(value, (Object, ClassValue)):
            owner = value if isinstance(value, Object) else Object(value.cls, None, value.place)
            found = member(self.resolver, owner, name)
            return found[0] if found and isinstance(found[0], FunctionValue) else None
        if isinstance(value, Result) and value.qualified == "functools.partial":
            found = partial_target(self.resolver, value)
            return found[0] if found and isinstance(found[0], FunctionValue) else None
        return None

    def _run_argument(self, call: Call, place: Place, parent: Node) -> Node | None:
        """``mp.spawn(main, ...)``: a library runs a project function."""
        for argument in call.node.args:
            if isinstance(argument.value, (cst.Name, cst.Attribute, cst.Lambda)):
                for value in self.resolver.resolve(Ref(argument.value, place)):
                    if isinstance(value, FunctionValue) and id(value.function) in self.relevant:
                        return self._activate(value, None, None, parent)
        return None

    def _activate(
        self, target: FunctionValue, call: Call | None, place: Place | None, parent: Node | None
    ) -> Activation:
        function = target.function
        self.expanded.add(id(function))
        if call is None or place is None:
            frame = self.resolver.root_frame(function, target.receiver)
        else:
            frame = self.resolver.call_frame(target, call.node, place)
        node = Activation(parent, function, frame, call, Sequence(None))
        if function in self._stack:
            return node
        self._stack.append(function)
        before = self._nodes
        node.body = self._block(function.body, frame, node)
        self._stack.pop()
        self._costs[id(function)] = (self._costs.get(id(function), (0, 0))[0] + 1, self._nodes - before)
        return node


def _adopt(event: Event | None, parent: Node) -> Event | None:
    if event is not None:
        event.parent = parent
    return event


def _is_forward(target: FunctionValue) -> bool:
    return target.function.name == "forward" and target.function.owner is not None


def _is_plain_library(call: Call) -> bool:
    names = qualified_names(call)
    return bool(names) and all(is_known(name) for name in names)
