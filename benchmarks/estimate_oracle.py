"""Differences between estimates and ``data/oracle.csv``.

    python -m benchmarks.estimate_oracle [TEXT ...]

Prints one line a row (those whose id holds one of the texts) and the shares that the project asks for. Needs the
packages whose models the rows use: torchvision, timm, transformers and peft, in the versions that the rows name.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from dataclasses import dataclass

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

from benchmarks.oracle_case import Row, rows, run

ALLOCATED_BOUND = 0.005
RESERVED_BOUND = 0.02


@dataclass(frozen=True, slots=True)
class Difference:
    """Relative errors of the steady step, and of its phases in bytes."""

    allocated: float
    reserved: float
    phases: dict[str, int]


def compare(row: Row) -> Difference:
    """Estimate a row and compare."""
    _, usage = run(row)
    peaks = usage.steady.peaks
    allocated, reserved = int(row["peak_allocated_bytes"]), int(row["peak_reserved_bytes"])
    phases = {
        phase.value: found.allocated_bytes - int(row[f"{phase.value}_peak_bytes"])
        for phase, found in usage.steady.phases.items()
    }
    return Difference(peaks.allocated_bytes / allocated - 1, peaks.reserved_bytes / reserved - 1, phases)


def main(wanted: list[str]) -> int:
    """Compare all rows; the exit code says whether the bounds are met."""
    warnings.simplefilter("ignore")
    found: list[Difference] = []
    for row in rows():
        if wanted and not any(text in row["id"] for text in wanted):
            continue
        started = time.process_time()
        found.append(compare(row))
        last = found[-1]
        seconds = time.process_time() - started
        print(f"{row['id']:58} {last.allocated:+9.4%} {last.reserved:+8.3%} {last.phases} {seconds:.2f} s", flush=True)
    return _summary(found)


def _summary(found: list[Difference]) -> int:
    count = max(1, len(found))
    close = sum(abs(d.allocated) <= ALLOCATED_BOUND for d in found) / count
    close_reserved = sum(abs(d.reserved) <= RESERVED_BOUND for d in found) / count
    print(f"{len(found)} rows")
    print(f"allocated: {close:.1%} within 0.5 %, {sum(d.allocated == 0 for d in found) / count:.1%} exact")
    print(f"reserved: {close_reserved:.1%} within 2 %, {sum(d.reserved == 0 for d in found) / count:.1%} exact")
    return 0 if close >= 0.95 and close_reserved >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
