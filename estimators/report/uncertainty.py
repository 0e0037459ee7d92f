"""How far a measured figure may lie from an estimate; the constants are measured in ``docs/accuracy.md``."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20

ALLOCATED_SHARE = 0.005
ALLOCATED_BYTES = 2 * MIB
"""Versions of libraries and kernels that differ from those of the run."""

RESERVED_SHARE = 0.05
"""Where blocks lie follows the order of frees, which differs between kernels."""

LOADED_BYTES = 400 * MIB
"""What the context grows by with the kernels that a run loads."""

WORKSPACE_MULTIPLE = 8.0
"""Largest workspace of a cuDNN convolution, in multiples of its input and output together."""


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds of a figure."""

    low_bytes: int
    high_bytes: int


def of_allocated(allocated_bytes: int) -> Span:
    """Return the bounds of an allocated peak, workspaces of cuDNN aside."""
    margin = int(allocated_bytes * ALLOCATED_SHARE) + ALLOCATED_BYTES
    return Span(max(0, allocated_bytes - margin), allocated_bytes + margin)


def of_reserved(reserved_bytes: int, convolution_bytes: int) -> Span:
    """Return the bounds of reserved memory and loaded kernels; ``convolution_bytes`` is of the largest convolution."""
    margin = int(reserved_bytes * RESERVED_SHARE)
    workspace = int(convolution_bytes * WORKSPACE_MULTIPLE)
    return Span(reserved_bytes - margin, reserved_bytes + margin + LOADED_BYTES + workspace)
