"""Whether a gradient scaler is in effect on a path through an iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.program.precision import scaler_enabled
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import Values

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions
    from dnnlint.program.paths import Path
    from dnnlint.program.roles import Roles


def is_on(conditions: Conditions, scaler: Values, path: Path) -> bool | None:
    """Whether a scaler is enabled under the decisions of a path; None where that is not known."""
    outcomes: set[bool | None] = set()
    for value in scaler:
        _, switch = scaler_enabled(conditions.resolver, value)
        outcomes.add(True if switch is None else conditions.outcome(switch, dict(path.decisions)))
    return outcomes.pop() if len(outcomes) == 1 else None


def something_unknown_has_it(roles: Roles, events: tuple[Event, ...]) -> bool:
    """Whether a call of another file gets a scaler, or the object that owns it, and may do the rest."""
    return any(
        event.kind == Kind.OPAQUE and (roles.any_of(event.targets, "scaler") or _is_self(event)) for event in events
    )


def _is_self(event: Event) -> bool:
    return any(type(value).__name__ == "Object" and getattr(value, "node", 0) is None for value in event.targets)
