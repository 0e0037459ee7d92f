"""The result of an estimate as typed values and as JSON (schema version 1); all sizes in bytes."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from dnnlint.estimators.options import Setting

SCHEMA_VERSION = 1
T = TypeVar("T")


class VerdictStatus(enum.Enum):
    """Whether the training fits a GPU; the value decides the exit code."""

    FITS = "fits"
    FITS_WITHOUT_HEADROOM = "fits without headroom"
    DOES_NOT_FIT = "does not fit"
    CANNOT_TELL = "cannot tell"
    NOT_ASKED = "no GPU named"

    @property
    def exit_code(self) -> int:
        """0 for what fits, 1 for what does not, 2 for unknown: unknown is never green."""
        return {VerdictStatus.DOES_NOT_FIT: 1, VerdictStatus.CANNOT_TELL: 2}.get(self, 0)


@dataclass(frozen=True, slots=True)
class Memory:
    """``torch.cuda.max_memory_allocated``, ``max_memory_reserved``, and what nvidia-smi would show."""

    allocated_bytes: int
    reserved_bytes: int
    device_bytes: int


@dataclass(frozen=True, slots=True)
class AtPeak:
    """What is alive at the peak; the parts sum to the allocated bytes exactly."""

    parameters: int
    buffers: int
    gradients: int
    optimizer_state: int
    activations: int
    inputs: int
    temporaries: int
    workspaces: int
    rounding: int

    @property
    def total_bytes(self) -> int:
        """Sum of all parts."""
        return sum(getattr(self, field.name) for field in dataclasses.fields(self))


@dataclass(frozen=True, slots=True)
class PeakPlace:
    """Where in the step the peak is reached."""

    phase: str
    module: str
    operator: str


@dataclass(frozen=True, slots=True)
class ModuleShare:
    """What one module holds at the peak, and its parameters (those of its children included)."""

    module: str
    bytes: int
    parameters: int


@dataclass(frozen=True, slots=True)
class TimelinePoint:
    """Allocated and reserved memory at one moment of the steady step."""

    phase: str
    allocated_bytes: int
    reserved_bytes: int


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """The GPU that was simulated, with the sources of its figures."""

    name: str
    memory_bytes: int
    compute_capability: str
    multiprocessors: int
    context_low_bytes: int
    context_high_bytes: int
    source: str
    context_source: str


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of the on-device peak, and what makes them differ."""

    low_bytes: int
    high_bytes: int
    basis: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the peak fits; ``fits`` is None for "cannot tell" and when no GPU is named."""

    status: VerdictStatus
    fits: bool | None
    headroom: float
    limit_bytes: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """Everything that one estimate says."""

    target: str
    entry: str
    config: Mapping[str, Setting]
    device: DeviceReport
    peak: Memory
    phases: Mapping[str, Memory]
    first_step: Memory
    at_peak: AtPeak
    peak_at: PeakPlace
    modules: tuple[ModuleShare, ...]
    parameters: int
    trainable_parameters: int
    flops_per_step: int | None
    operators: int
    timeline: tuple[TimelinePoint, ...]
    interval: Interval
    verdict: Verdict
    max_batch: int | None
    assumptions: tuple[str, ...]
    placeholders: tuple[str, ...]
    not_modelled: tuple[str, ...]
    warnings: tuple[str, ...]
    sandbox: Mapping[str, str]
    versions: Mapping[str, str]
    seconds: Mapping[str, float]

    def to_json(self) -> dict[str, object]:
        """Return the JSON object of ``--format json``."""
        return {
            "schema_version": SCHEMA_VERSION,
            **{field.name: _plain(getattr(self, field.name)) for field in _fields(self)},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Estimate:
        """Rebuild an estimate from its JSON object.

        Raises KeyError or TypeError when the object is of another schema.
        """
        if data["schema_version"] != SCHEMA_VERSION:
            raise KeyError(f"schema version {data['schema_version']}")
        rest: dict[str, Any] = {
            "config": {name: Setting(**value) for name, value in data["config"].items()},
            "device": DeviceReport(**data["device"]),
            "peak": Memory(**data["peak"]),
            "phases": {name: Memory(**value) for name, value in data["phases"].items()},
            "first_step": Memory(**data["first_step"]),
            "at_peak": AtPeak(**data["at_peak"]),
            "peak_at": PeakPlace(**data["peak_at"]),
            "modules": _each(ModuleShare, data["modules"]),
            "timeline": _each(TimelinePoint, data["timeline"]),
            "interval": Interval(**data["interval"]),
            "verdict": Verdict(**{**data["verdict"], "status": VerdictStatus(data["verdict"]["status"])}),
        }
        lists: dict[str, Any] = {
            name: tuple(data[name]) for name in ("assumptions", "placeholders", "not_modelled", "warnings")
        }
        plain = {field.name: data[field.name] for field in _fields(cls) if field.name not in rest | lists}
        return cls(**plain, **rest, **lists)


def _fields(owner: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(owner)


def _each(kind: type[T], items: list[dict[str, Any]]) -> tuple[T, ...]:
    return tuple(kind(**item) for item in items)


def _plain(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in _fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value
