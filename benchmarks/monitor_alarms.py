"""Measure how often the monitor's tests for leaks and regular swings are right: false alarms and detections.

    python benchmarks/monitor_alarms.py --runs 1000

Simulates runs of one GPU whose truth is known: without a leak or swing (independent noise, noise with memory, one step,
a warm-up, random pauses) and with one. Prints the share of runs that are reported, with a 95 % upper bound.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from dnnlint.monitor.columns import MEMORY_TOTAL, MEMORY_USED, UTILISATION
from dnnlint.monitor.log import Series
from dnnlint.monitor.patterns import find_leak, find_memory_sawtooth, find_usage_sawtooth
from dnnlint.monitor.thresholds import Thresholds

RESULTS = Path(__file__).parent / "results" / "monitor_alarms.json"
SAMPLES = 1800
MIB = 2**20
CAPACITY = 81559 * MIB
BASE = 40_000.0
Signal = Callable[[random.Random], Iterator[float]]


def noise(rng: random.Random, deviation: float, memory: float = 0.0) -> Iterator[float]:
    """Gaussian noise whose neighbours correlate by ``memory`` (autoregressive of order one)."""
    value = rng.gauss(0, deviation)
    fresh = deviation * math.sqrt(1 - memory**2)
    while True:
        yield value
        value = memory * value + rng.gauss(0, fresh)


def memory_level(deviation: float, memory: float = 0.0) -> Signal:
    """Memory around one level, in MiB."""
    return lambda rng: (BASE + value for value in noise(rng, deviation, memory))


def memory_step(rng: random.Random) -> Iterator[float]:
    """One step up by 10 GiB at any time, as with the first evaluation or the longest sample."""
    at = rng.randrange(SAMPLES)
    return (BASE + value + 10_000 * (index > at) for index, value in enumerate(noise(rng, 500)))


def memory_record(rng: random.Random) -> Iterator[float]:
    """A caching allocator: the largest of the samples so far, which have a heavy tail."""
    level = 0.0
    for _ in range(SAMPLES):
        level = max(level, rng.lognormvariate(0, 0.5) * 2_000)
        yield BASE + level


def memory_warm_up(rng: random.Random) -> Iterator[float]:
    """Growth that ends within the first fifth."""
    length = rng.uniform(20, SAMPLES * 0.18)
    return (BASE * (1 - math.exp(-5 * index / length)) + value for index, value in enumerate(noise(rng, 200)))


def leak(total_mib: float, step_mib: float = 0.0) -> Signal:
    """A steady rise over the whole run, smooth or in steps."""

    def signal(rng: random.Random) -> Iterator[float]:
        for index, value in enumerate(noise(rng, 300)):
            grown = total_mib * index / SAMPLES
            yield BASE + value + (math.floor(grown / step_mib) * step_mib if step_mib else grown)

    return signal


def usage_level(deviation: float, memory: float = 0.0) -> Signal:
    """Utilisation around 70 %."""
    return lambda rng: (min(100.0, max(0.0, 70 + value)) for value in noise(rng, deviation, memory))


def usage_random_pauses(rng: random.Random) -> Iterator[float]:
    """Pauses of random length at random times."""
    busy, left = True, 0.0
    while True:
        if left <= 0:
            busy, left = not busy, rng.expovariate(1 / 10)
        left -= 1
        yield min(100.0, max(0.0, (92 if busy else 5) + rng.gauss(0, 4)))


def usage_swing(period: float, jitter: float) -> Signal:
    """Work and waiting in turn; each period differs by ``jitter`` of its length."""

    def signal(rng: random.Random) -> Iterator[float]:
        position, length = 0.0, period
        while True:
            position += 1
            if position >= length:
                position, length = 0.0, period * (1 + rng.uniform(-jitter, jitter))
            yield min(100.0, max(0.0, (95 if position < 0.65 * length else 4) + rng.gauss(0, 5)))

    return signal


LEAK_FREE: dict[str, Signal] = {
    "independent noise": memory_level(2_000),
    "noise with memory, 0.9": memory_level(2_000, 0.9),
    "noise with memory, 0.99": memory_level(2_000, 0.99),
    "noise with memory, 0.999": memory_level(2_000, 0.999),
    "one step up": memory_step,
    "caching allocator, heavy tail": memory_record,
    "warm-up": memory_warm_up,
}
WIDE: dict[str, Signal] = {
    "wide independent noise": memory_level(12_000),
    "wide noise with memory, 0.9": memory_level(12_000, 0.9),
    "wide noise with memory, 0.99": memory_level(12_000, 0.99),
}
LEAKING: dict[str, Signal] = {
    "leak of 8 GiB": leak(8_192),
    "leak of 3 GiB": leak(3_072),
    "leak of 8 GiB in steps of 512 MiB": leak(8_192, 512),
    "leak of 8 GiB in steps of 2 GiB": leak(8_192, 2_048),
}
STEADY: dict[str, Signal] = {
    "independent noise": usage_level(25),
    "noise with memory, 0.9": usage_level(25, 0.9),
    "noise with memory, 0.99": usage_level(25, 0.99),
    "random pauses": usage_random_pauses,
}
SWINGING: dict[str, Signal] = {
    "swing every 8 s": usage_swing(8, 0),
    "swing every 30 s": usage_swing(30, 0),
    "swing every 30 s, +-10 %": usage_swing(30, 0.1),
    "swing every 30 s, +-30 %": usage_swing(30, 0.3),
}


def memory_series(signal: Signal, rng: random.Random) -> Series:
    """The memory of a simulated run."""
    series = Series("0")
    values = [value * MIB for value, _ in zip(signal(rng), range(SAMPLES), strict=False)]
    series.extend(range(len(values)), {MEMORY_USED: values, MEMORY_TOTAL: [float(CAPACITY)] * len(values)})
    return series


def has_leak(signal: Signal, rng: random.Random) -> bool:
    """Whether a simulated run is reported as leaking."""
    return find_leak(memory_series(signal, rng), Thresholds()) is not None


def has_memory_swing(signal: Signal, rng: random.Random) -> bool:
    """Whether the memory of a simulated run is reported as swinging."""
    return find_memory_sawtooth(memory_series(signal, rng), Thresholds()) is not None


def has_swing(signal: Signal, rng: random.Random) -> bool:
    """Whether a simulated run is reported as swinging."""
    series = Series("0")
    series.extend(range(SAMPLES), {UTILISATION: [value for value, _ in zip(signal(rng), range(SAMPLES), strict=False)]})
    return find_usage_sawtooth(series, Thresholds()) is not None


def share(test: Callable[[Signal, random.Random], bool], signal: Signal, runs: int, seed: int = 1) -> float:
    """The share of runs that are reported."""
    return sum(test(signal, random.Random(seed * 1_000_003 + run)) for run in range(runs)) / runs


def upper_bound(found: float, runs: int) -> float:
    """The upper end of Wilson's 95 % interval."""
    z = 1.96
    centre = found + z * z / (2 * runs)
    return (centre + z * math.sqrt(found * (1 - found) / runs + z * z / (4 * runs * runs))) / (1 + z * z / runs)


GROUPS = (
    ("leak, false alarms", has_leak, LEAK_FREE),
    ("leak, detections", has_leak, LEAKING),
    ("swing, false alarms", has_swing, STEADY),
    ("swing, detections", has_swing, SWINGING),
    ("memory swing, false alarms", has_memory_swing, {**LEAK_FREE, **WIDE}),
)


def main() -> None:
    """Measure all groups and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    runs = parser.parse_args().runs
    rows: dict[str, dict[str, float]] = {}
    for title, test, signals in GROUPS:
        for name, signal in signals.items():
            found = share(test, signal, runs)
            rows.setdefault(title, {})[name] = found
            print(f"{title:<27} {name:<36} {found:7.2%}  (at most {upper_bound(found, runs):.2%})", flush=True)
    RESULTS.write_text(json.dumps({"runs": runs, "samples": SAMPLES, "shares": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
