"""What ``--explain-program`` says of a program, as plain records; their field names are the keys of its JSON."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a file."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Quantity:
    """A setting: its expression, its value with its source in words, and its possible literal values.

    ``expression`` is empty where the setting is not given; ``text`` is empty where the value is not known. ``option``
    is the run-time option that decides, empty where there is none.
    """

    expression: str
    text: str = ""
    values: tuple[bool | int | float | str | None, ...] = ()
    option: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """A call that does one thing, and by what means (``plain``, ``scaler``, ``accelerator``, ``engine``, ...)."""

    at: Spot
    code: str
    how: str = "plain"


@dataclass(frozen=True, slots=True)
class OptimizerRecord:
    """An optimizer that may be stepped; ``name`` is empty, ``at`` None where its construction is not seen."""

    expression: str
    name: str
    at: Spot | None
    learning_rate: Quantity | None


@dataclass(frozen=True, slots=True)
class ScalerRecord:
    """A gradient scaler that may be in use."""

    name: str
    at: Spot | None
    enabled: Quantity


@dataclass(frozen=True, slots=True)
class AutocastRecord:
    """An autocast that may be active, with its possible types and devices (``unknown`` among them)."""

    at: Spot
    dtypes: tuple[str, ...]
    devices: tuple[str, ...]
    enabled: Quantity


@dataclass(frozen=True, slots=True)
class AccumulationRecord:
    """Gradient accumulation: ``window``, ``nested`` or ``framework``, the number of micro-batches, the window test."""

    kind: str
    factor: Quantity | None
    test: str
    at: Spot | None


@dataclass(frozen=True, slots=True)
class ClipRecord:
    """A clip; ``is_effective`` is False where its limit is None or infinite."""

    at: Spot
    code: str
    limit: Quantity | None
    is_effective: bool


@dataclass(frozen=True, slots=True)
class SchedulerRecord:
    """A scheduler and the calls that step it, in the iteration or in a loop around it."""

    name: str
    at: Spot | None
    stepped: tuple[Spot, ...]
    is_in_iteration: bool


@dataclass(frozen=True, slots=True)
class LoopRecord:
    """A training loop; ``kind`` is ``for``, ``while`` or ``function`` (a step whose loop is not seen).

    ``paths`` counts the ways one iteration can go, None where there are too many to tell.
    """

    at: Spot
    kind: str
    header: str
    outer: tuple[Spot, ...]
    backwards: tuple[Action, ...]
    steps: tuple[Action, ...]
    zero_grads: tuple[Action, ...]
    optimizers: tuple[OptimizerRecord, ...]
    scalers: tuple[ScalerRecord, ...]
    autocasts: tuple[AutocastRecord, ...]
    accumulation: AccumulationRecord | None
    clips: tuple[ClipRecord, ...]
    schedulers: tuple[SchedulerRecord, ...]
    paths: int | None


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """An evaluation; ``eval_mode_at`` is None where no ``eval()`` is in force, ``records_gradients`` by autograd."""

    at: Spot
    header: str
    forwards: tuple[Action, ...]
    eval_mode_at: Spot | None
    records_gradients: bool


@dataclass(frozen=True, slots=True)
class LoaderRecord:
    """A data loader with what it is used for: ``training``, ``evaluation``, or ``unseen``."""

    at: Spot
    role: str
    num_workers: Quantity
    batch_size: Quantity
    shuffle: Quantity
    pin_memory: Quantity
    persistent_workers: Quantity


@dataclass(frozen=True, slots=True)
class StorageRecord:
    """A save or a load; ``names`` are the keys and names of what is saved, where they are known."""

    at: Spot
    code: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnfollowedRecord:
    """A call whose insides are not known, with what it receives: ``optimizer``, ``scaler``, ``model``, ``object``."""

    at: Spot
    code: str
    receives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnknownRecord:
    """A setting whose value is not known, with the run-time option that decides it, empty where there is none."""

    name: str
    expression: str
    at: Spot
    option: str


@dataclass(frozen=True, slots=True)
class FrameworkRecord:
    """A framework that the program imports, with the objects of it that train or configure training."""

    name: str
    objects: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the tool believes of the program that a file belongs to."""

    file: str
    files: tuple[str, ...]
    also_read: tuple[str, ...]
    frameworks: tuple[FrameworkRecord, ...]
    training_loops: tuple[LoopRecord, ...]
    evaluations: tuple[EvaluationRecord, ...]
    data_loaders: tuple[LoaderRecord, ...]
    saves: tuple[StorageRecord, ...]
    loads: tuple[StorageRecord, ...]
    calls_not_followed: tuple[UnfollowedRecord, ...]
    values_not_known: tuple[UnknownRecord, ...]
