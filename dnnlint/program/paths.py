"""The ways one iteration of a loop can go: sequences of events under consistent decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dnnlint.program.conditions import Conditions, Decisions
from dnnlint.program.tree import Activation, Attempt, Event, Fork, Leave, Node, Repeat, Scoped, Sequence

MAX_PATHS = 256


@dataclass(frozen=True, slots=True)
class Path:
    """One way through: its events, the branches taken, and how it left (empty, ``continue``, ``break`` ...)."""

    events: tuple[Event, ...] = ()
    taken: tuple[tuple[Fork, bool], ...] = ()
    decisions: tuple[tuple[object, bool], ...] = ()
    left: str = ""

    def of(self, *kinds: str) -> list[Event]:
        """The events of some kinds, in order."""
        return [event for event in self.events if event.kind in kinds]

    def index(self, event: Event) -> int:
        """The position of an event on the path, -1 where it is not on it."""
        return self.events.index(event) if event in self.events else -1


class TooManyPathsError(Exception):
    """More ways than can be looked at; nothing is said about such a loop."""


class PathFinder:
    """Enumerates paths; branches that cannot be told apart by known conditions are both taken."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions

    def paths(self, node: Sequence, start: Path | None = None) -> tuple[Path, ...]:
        """All ways through a sequence; raises TooManyPathsError beyond a few hundred."""
        return tuple(self._sequence(node, [start or Path()]))

    def _sequence(self, node: Sequence, paths: list[Path]) -> list[Path]:
        for child in node.children:
            done = [path for path in paths if path.left]
            going = [path for path in paths if not path.left]
            if not going:
                break
            paths = done + [after for path in going for after in self._node(child, path)]
            if len(paths) > MAX_PATHS:
                raise TooManyPathsError
        return paths

    def _node(self, node: Node, path: Path) -> list[Path]:
        if isinstance(node, Event):
            return [replace(path, events=(*path.events, node))]
        if isinstance(node, Fork):
            return self._fork(node, path)
        if isinstance(node, Leave):
            return [] if node.kind == "raise" else [replace(path, left=node.kind)]
        if isinstance(node, (Scoped, Sequence)):
            return self._sequence(node.body if isinstance(node, Scoped) else node, [path])
        if isinstance(node, Activation):
            return _cleared(self._sequence(node.body, [path]), ("return",))
        if isinstance(node, Repeat):
            once = _cleared(self._sequence(node.body, [path]), ("continue", "break"))
            return [after for way in once for after in ([way] if way.left else self._sequence(node.orelse, [way]))]
        return self._attempt(node, path)

    def _attempt(self, node: Attempt, path: Path) -> list[Path]:
        tried = self._sequence(node.body, [path])
        return [after for way in tried for after in ([way] if way.left else self._sequence(node.rest, [way]))]

    def _fork(self, node: Fork, path: Path) -> list[Path]:
        test = node.test
        decisions: Decisions = dict(path.decisions)
        known = self.conditions.outcome(test, decisions) if test is not None else None
        found: list[Path] = []
        for side, holds in ((node.then, True), (node.orelse, False)):
            if known is (not holds):
                continue
            taken = (*path.taken, (node, holds))
            noted = decisions if test is None or known is not None else self.conditions.assume(test, holds, decisions)
            found.extend(self._sequence(side, [replace(path, taken=taken, decisions=tuple(noted.items()))]))
        return found


def _cleared(paths: list[Path], kinds: tuple[str, ...]) -> list[Path]:
    return [replace(path, left="") if path.left in kinds else path for path in paths]


def has(path: Path, *kinds: str) -> bool:
    """Whether a path holds an event of one of these kinds."""
    return any(event.kind in kinds for event in path.events)
