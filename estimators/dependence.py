"""Tell whether sizes follow a value that only a real run computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from dnnlint.estimators.simulation import Simulation

SCALAR = "aten::_local_scalar_dense"
"""The operator that reads a number from the device."""


class _Shifted(TorchDispatchMode):
    """Adds ``shift`` to every number that leaves the device, and sums the sizes of all results."""

    elements = 0
    shift = 0

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.elements += result.numel()
        elif func._schema.name == SCALAR and type(result) in (int, float) and args[0].is_meta:
            # Not a bool: that would be another branch, not another size.
            return result + self.shift
        return result


def size_of_unknown_value(simulation: Simulation, forward: Callable[[], object]) -> str | None:
    """Return where a number is read whose value decides sizes in ``forward``; None when no size follows one."""
    places = [note.text for note in simulation.trace.notes if note.text.startswith(SCALAR)]
    if not places:
        return None
    totals = set()
    for shift in (0, 1):
        # PyTorch annotates its modes in some versions only.
        make_mode: Any = _Shifted
        mode = make_mode()
        mode.shift = shift
        with torch.no_grad(), mode:
            try:
                forward()
            except Exception:
                # Refusing another value is following it, too.
                return _place(places[0])
        totals.add(mode.elements)
    return _place(places[0]) if len(totals) > 1 else None


def _place(text: str) -> str:
    place = text.partition(" at ")[2].partition(": ")[0]
    return "inside a library" if place == "unknown place" else f"at {place}"
