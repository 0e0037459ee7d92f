"""What a source of figures gives to the runner, and what the runner writes down."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dnnlint.estimators.allocator import Usage

FOLDER = Path(__file__).parent
DATA = FOLDER / "data"
RESULTS = FOLDER / "results"

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Estimate:
    """One estimated configuration; sizes in bytes, -1 where not asked for."""

    id: str
    allocated_bytes: int = -1
    """Peak of the steady step, or the level after it where that is what was published."""
    reserved_bytes: int = -1
    parameter_bytes: int = -1
    fits: str = ""
    """Whether the run stayed within the device as the catalogue describes it, for sources that tried."""
    seconds: float = 0.0
    error: str = ""
    versions: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A unit of work: one model, perhaps at several batch sizes."""

    id: str
    run: Callable[[], Sequence[Estimate]]


def rows(name: str) -> Iterator[Row]:
    """Yield the rows of a file of ``data``."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def of_usage(name: str, usage: Usage, **more: object) -> Estimate:
    """Return the peaks of the steady step as an estimate."""
    peaks = usage.steady.peaks
    return Estimate(name, peaks.allocated_bytes, peaks.reserved_bytes, **more)  # type: ignore[arg-type]


def read(name: str) -> list[Estimate]:
    """Return the estimates of a file of ``results``; none where it is not there yet."""
    path = RESULTS / name
    if not path.exists():
        return []
    kinds = {
        "allocated_bytes": int,
        "reserved_bytes": int,
        "parameter_bytes": int,
        "seconds": float,
    }
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Estimate(**{key: kinds.get(key, str)(value) for key, value in row.items()}) for row in csv.DictReader(file)
        ]


def append(name: str, estimates: Sequence[Estimate]) -> None:
    """Add estimates to a file of ``results``, so that an interrupted run can go on."""
    path = RESULTS / name
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Estimate)], lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerows(asdict(estimate) for estimate in estimates)


def versions(*packages: str) -> str:
    """Return the installed versions of packages, PyTorch's first."""
    return "; ".join(f"{package} {version(package)}" for package in ("torch", *packages))
