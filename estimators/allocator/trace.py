"""What a simulated run leaves behind: births and deaths of storages on the device, in program order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


class Phase(Enum):
    """Part of a training step."""

    BUILD = "build"
    FORWARD = "forward"
    BACKWARD = "backward"
    OPTIMIZER = "optimizer"


class Category(Enum):
    """What a storage holds."""

    PARAMETERS = "parameters"
    BUFFERS = "buffers"
    GRADIENTS = "gradients"
    OPTIMIZER_STATE = "optimizer_state"
    ACTIVATIONS = "activations"
    """Born in a forward pass and still there when its backward pass starts, or recomputed in it."""
    INPUTS = "inputs"
    TEMPORARIES = "temporaries"
    WORKSPACES = "workspaces"
    """cuBLAS workspaces, kept until the process ends."""


class NoteKind(Enum):
    """Why a trace carries a note."""

    ASSUMPTION = "assumption"
    PLACEHOLDER = "placeholder"
    NOT_MODELLED = "not-modelled"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader of an estimate has to know; ``count`` is how often it was met."""

    kind: NoteKind
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Mark:
    """From event ``event`` on, the program is in ``phase`` of step ``step`` (-1 before the first)."""

    event: int
    step: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Trace:
    """Storages on the device and their lifetimes.

    ``events`` holds ``n + 1`` for the birth of storage ``n`` and ``-(n + 1)`` for its death; the other sequences are
    indexed by storage. Sizes are in bytes, before rounding.
    """

    events: Sequence[int]
    sizes: Sequence[int]
    categories: Sequence[Category]
    operators: Sequence[str]
    modules: Sequence[str]
    marks: tuple[Mark, ...]
    transient: Sequence[bool] = ()
    """Which storages are memory that a kernel takes only while it runs."""
    notes: tuple[Note, ...] = ()
    operator_count: int = 0
    parameter_count: int = 0
    trainable_count: int = 0
    convolution_bytes: int = 0
    """Input and output of the largest convolution for which cuDNN may take a workspace."""

    @property
    def steps(self) -> int:
        """Number of steps that were run."""
        return 1 + max((mark.step for mark in self.marks), default=-1)
