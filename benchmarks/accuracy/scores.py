"""Estimates beside what was published, in one form for all sources."""

from __future__ import annotations

import csv
import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.accuracy.cases import RESULTS, Estimate, Row, read, rows

MIB = 1 << 20
A100_MIB = 40536
"""Memory of an A100 40GB as PyTorch sees it."""

TITLES = {
    "oracle": "PyTorch's own dispatcher and allocator",
    "t4": "Tesla T4, published by torch-preflight",
    "liger": "Liger-Kernel operators, plain PyTorch",
    "hf_tables": "Hugging Face SDPA tables",
    "litgpt": "litgpt resource tables",
    "litgpt_hub": "litgpt configuration hub",
    "peft": "peft benchmark, after a step",
    "single": "single published figures",
    "smi_timm": "timm under nvidia-smi",
}
EXACT = ("liger", "hf_tables", "litgpt", "litgpt_hub", "peft", "single")


@dataclass(frozen=True, slots=True)
class Scored:
    """A published figure, as an interval of rounding, and its estimate; sizes in MiB."""

    source: str
    id: str
    family: str
    gpu: str
    tier: str
    low: float
    high: float
    predicted: float
    convolution: float = 0.0
    """Input and output of the largest convolution."""
    searched: bool = False
    """Read while cuDNN searched for its fastest algorithm, as the readings of larger batches show."""

    @property
    def error(self) -> float:
        """Relative distance to the published interval, below zero for an under-estimate."""
        if self.low <= self.predicted <= self.high:
            return 0.0
        nearest = self.high if self.predicted > self.high else self.low
        return self.predicted / nearest - 1


def exact() -> Iterator[Scored]:
    """Yield the rows of ``exact.csv`` that were estimated."""
    published = {row["id"]: row for row in rows("exact.csv")}
    for source in EXACT:
        for one in read(f"{source}.csv"):
            if not one.error:
                row = published[one.id]
                yield _scored(source, one, row, float(row["lo_MiB"]), float(row["hi_MiB"]))


def _scored(source: str, one: Estimate, row: Row, low: float, high: float) -> Scored:
    family = row["model"].split(" / ")[0].split(" ")[0].split("/")[-1]
    return Scored(source, one.id, family, row["gpu"], row["tier"], low, high, one.allocated_bytes / MIB)


def measured(source: str) -> Iterator[Scored]:
    """Yield allocated peaks of ``oracle`` or ``t4``."""
    folder = RESULTS.parents[1] / "data"
    key, name, scale = {
        "oracle": ("id", "peak_allocated_bytes", MIB),
        "t4": ("run", "allocated_mib", 1),
    }[source]
    with (folder / f"{source}.csv").open(encoding="utf-8", newline="") as file:
        published = {row[key]: row for row in csv.DictReader(file)}
    for one in read(f"{source}.csv"):
        if one.error:
            continue
        row = published[one.id]
        value = float(row[name]) / scale
        gpu = "Tesla T4" if source == "t4" else f"compute capability {row['compute_capability']}"
        yield Scored(
            source, one.id, row.get("family", row.get("model", "")), gpu, "A", value, value, one.allocated_bytes / MIB
        )


def smi(constant: float | None = None) -> list[Scored]:
    """Return readings of nvidia-smi and reserved peaks plus one constant, by default the one that fits best.

    Readings that are not of a training run are left out.
    """
    convolutions = _convolutions()
    estimates = {one.id: one for one in read("smi_timm.csv") if not one.error}
    known = [(row, estimates[key]) for row in smi_rows() if (key := smi_key(row)) in estimates]
    found = [
        Scored(
            "smi_timm",
            one.id,
            row["model"].split("_")[0],
            "A100 40GB",
            "A",
            float(row["max_nvidia_smi_MiB"]),
            float(row["max_nvidia_smi_MiB"]),
            one.reserved_bytes / MIB + (0.0 if constant is None else constant),
            convolutions.get(one.id.rpartition("@")[0], 0) * int(row["batch"]) / MIB,
            is_search(row),
        )
        for row, one in known
    ]
    if constant is None:
        return smi(best_constant(found))
    return found


def _convolutions() -> dict[str, int]:
    """Return input and output of the largest convolution of each model, in bytes a sample."""
    path = RESULTS / "largest_convolutions.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def smi_rows() -> list[Row]:
    """Return the readings that are of a training run at their batch."""
    return [row for row in rows("smi_timm.csv") if row["status"] == "ok" and not untrained(row)]


def is_search(row: Row) -> bool:
    """Say whether a larger batch of the model shows less: the reading is of cuDNN's search for an algorithm."""
    others = _trained_readings()[row["model"]]
    return any(
        size > int(row["batch"]) and reading < float(row["max_nvidia_smi_MiB"]) for size, reading in others.items()
    )


@functools.cache
def _trained_readings() -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = {}
    for row in smi_rows():
        found.setdefault(row["model"], {})[int(row["batch"])] = float(row["max_nvidia_smi_MiB"])
    return found


@functools.cache
def _readings() -> dict[str, dict[int, float]]:
    """Return readings by model and batch."""
    found: dict[str, dict[int, float]] = {}
    for row in rows("smi_timm.csv"):
        found.setdefault(row["model"], {})[int(row["batch"])] = float(row["max_nvidia_smi_MiB"])
    return found


def untrained(row: Row) -> str:
    """Return why a reading is not of a training run at its batch and size, as the data alone show; else nothing."""
    batch, reading = int(row["batch"]), float(row["max_nvidia_smi_MiB"])
    others = _readings()[row["model"]]
    if any(reading == other for size, other in others.items() if size != batch):
        return "another batch of the model shows the same figure: it did not train at one of them"
    if float(row["fake_tensor_peer_estimate_MiB"] or 0) > A100_MIB:
        return "live tensors alone exceed the GPU by the estimate in the data"
    if row["model"].startswith("sam2_hiera"):
        return "trained on another image size than the data state"
    return ""


def smi_key(row: Row) -> str:
    """Return the id of the estimate of a reading."""
    return f"{row['model']}@{row['img_size']}@{row['batch']}"


def best_constant(found: Sequence[Scored]) -> float:
    """Return the constant that makes the median error of reserved memory smallest."""
    return min(range(0, 3000, 50), key=lambda c: median(abs((s.predicted + c) / s.low - 1) for s in found))


@dataclass(frozen=True, slots=True)
class Bound:
    """A batch that fitted and the next that did not, with the allocated peaks predicted for both in MiB."""

    model: str
    layout: str
    torch: str
    tier: str
    fits: float
    does_not: float
    said_fits: bool
    """Whether the estimator says of the first batch that it fits the GPU as the catalogue describes it."""
    said_next_fits: bool
    reserved: float
    next_reserved: float

    def consistent(self, limit: float, share: float) -> bool:
        """Say whether one limit, give or take a share, lies between both."""
        return self.fits <= limit * (1 + share) and self.does_not >= limit * (1 - share)


def not_rebuilt(row: Row) -> str:
    """Return why a bound cannot be rebuilt with today's packages; empty where it can."""
    if row["in_timm_1.0.31"] != "yes":
        return "the model is not in timm 1.0.31"
    if "differ" in row["param_M_timm_1.0.31"]:
        return "timm 1.0.31 has another model under the name (other number of parameters)"
    if row["model"].startswith("tresnet"):
        return "made with in-place batch norm (inplace_abn), which timm 1.0.31 replaced by plain batch norm"
    return ""


def bounds() -> list[Bound]:
    """Return the two-sided bounds that can be rebuilt."""
    estimates = {one.id: one for one in read("bounds.csv") if not one.error}
    found = []
    for row in rows("bounds.csv"):
        if row["informative"] != "two-sided" or not_rebuilt(row):
            continue
        model = f"{row['model']}@{row['img_size']}"
        name = f"{model}@{'nhwc' if row['layout'] == 'nhwc' else 'nchw'}"
        old = f"{model}@nchw@torch-{row['torch']}"
        name = old if f"{old}@{row['B_fits']}" in estimates else name
        pair = estimates.get(f"{name}@{row['B_fits']}"), estimates.get(f"{name}@{row['B_not_fit']}")
        if pair[0] is None or pair[1] is None:
            continue
        found.append(
            Bound(
                row["model"],
                row["layout"],
                row["torch"],
                row["tier"],
                pair[0].allocated_bytes / MIB,
                pair[1].allocated_bytes / MIB,
                pair[0].fits == "True",
                pair[1].fits == "True",
                pair[0].reserved_bytes / MIB,
                pair[1].reserved_bytes / MIB,
            )
        )
    return found


def best_limit(found: Sequence[Bound], share: float) -> float:
    """Return the limit with which most bounds are consistent."""
    return max(range(18000, 24500, 50), key=lambda limit: sum(b.consistent(limit, share) for b in found))


def peers() -> dict[str, dict[str, int]]:
    """Return what other tools answered, in bytes, by tool and row."""
    path: Path = RESULTS / "peers.csv"
    found: dict[str, dict[str, int]] = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if not row["error"]:
                    found.setdefault(row["tool"], {})[row["id"]] = int(row["bytes"])
    return found
