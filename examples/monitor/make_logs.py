"""Write the logs of this folder: what nvidia-smi would have recorded of four runs on an RTX 3090.

    nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,memory.used,memory.total,temperature.gpu \
        --format=csv --loop=2 > log.csv

The runs are made up: no GPU was at hand. The format is that of the command above.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

HEADING = (
    "timestamp, index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu"
)
SAMPLES = 450
SECONDS = 2


def healthy(sample: int) -> tuple[float, float, float]:
    """Utilisation, memory in MiB, temperature: busy, a level of memory, warm."""
    return random.gauss(84, 3), 15_800 if sample > 5 else 900 + 2_500 * sample, 60 + 14 * (1 - math.exp(-sample / 40))


def starved(sample: int) -> tuple[float, float, float]:
    """Two workers cannot keep up: work for 6 s, waiting for 14 s, and a long pause between epochs."""
    pausing = sample % 150 > 135
    working = sample % 10 < 3 and not pausing
    return (random.gauss(92, 3) if working else random.uniform(0, 3)), 15_800, 55


def leaking(sample: int) -> tuple[float, float, float]:
    """`total += loss` keeps the graph of every step."""
    return random.gauss(84, 3), 12_000 + 22 * sample + random.randrange(60), 72


def overheated(sample: int) -> tuple[float, float, float]:
    """Dust in the fans."""
    return random.gauss(97.5, 0.5), 15_800, min(97, 62 + sample / 8)


RUNS: dict[str, Callable[[int], tuple[float, float, float]]] = {
    "healthy": healthy,
    "starved": starved,
    "leaking": leaking,
    "overheated": overheated,
}


def main() -> None:
    for name, run in RUNS.items():
        random.seed(name)
        lines = [HEADING]
        for sample in range(SAMPLES):
            usage, used, temperature = run(sample)
            stamp = (datetime(2026, 11, 30, 8) + timedelta(seconds=SECONDS * sample)).strftime("%Y/%m/%d %H:%M:%S.000")
            percent = round(min(100, max(0, usage)))
            lines.append(
                f"{stamp}, 0, NVIDIA GeForce RTX 3090, {percent} %, {round(used)} MiB, 24576 MiB, {round(temperature)}"
            )
        (Path(__file__).parent / f"{name}.csv").write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main()
