"""Results of a replay, in bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from dnnlint.estimators.allocator.trace import Phase


@dataclass(frozen=True, slots=True)
class Peaks:
    """What ``torch.cuda.max_memory_allocated`` and ``max_memory_reserved`` would show."""

    allocated_bytes: int
    reserved_bytes: int


@dataclass(frozen=True, slots=True)
class StepUsage:
    """Peaks of one step, as a whole and by phase, and the level at its end."""

    peaks: Peaks
    phases: Mapping[Phase, Peaks]
    end: Peaks


@dataclass(frozen=True, slots=True)
class Composition:
    """What is alive at the peak; the fields sum to the allocated bytes exactly."""

    parameters: int = 0
    buffers: int = 0
    gradients: int = 0
    optimizer_state: int = 0
    activations: int = 0
    inputs: int = 0
    temporaries: int = 0
    workspaces: int = 0
    rounding: int = 0
    """What blocks hold beyond the bytes asked for."""

    def items(self) -> Iterator[tuple[str, int]]:
        """Yield name and bytes of every part."""
        for field in fields(self):
            yield field.name, getattr(self, field.name)

    @property
    def total_bytes(self) -> int:
        """Sum of all parts."""
        return sum(size for _, size in self.items())


@dataclass(frozen=True, slots=True)
class Holder:
    """A module and the bytes that its parameters, gradients, states and activations hold at the peak."""

    module: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TimelinePoint:
    """Level of memory at one moment of the steady step."""

    allocated_bytes: int
    reserved_bytes: int
    phase: Phase
    step: int


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The first request the device could not meet, and where it was made."""

    step: int
    phase: Phase
    requested_bytes: int
    operator: str
    module: str
    allocated_bytes: int
    reserved_bytes: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Memory of a replayed trace; the peak is that of the last step that ran."""

    steps: tuple[StepUsage, ...]
    at_peak: Composition
    holders: tuple[Holder, ...]
    peak_phase: Phase
    peak_operator: str
    peak_module: str
    timeline: tuple[TimelinePoint, ...]
    retries: int
    out_of_memory: OutOfMemory | None

    @property
    def first(self) -> StepUsage:
        """The first step, which starts without optimizer state."""
        return self.steps[0]

    @property
    def steady(self) -> StepUsage:
        """The last step, which every later one repeats."""
        return self.steps[-1]
