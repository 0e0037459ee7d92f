"""Clocks: a call in this process, a command with its children, and medians over interleaved repeats."""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


def time_call(function: Callable[[], object]) -> float:
    """CPU seconds of one call, from a swept heap and with the collector on, as in a fresh process.

    On a quiet machine this is the wall time; on a busy one it leaves out the time that other processes took.
    """
    gc.collect()
    gc.enable()
    start = time.process_time()
    function()
    return time.process_time() - start


def run_command(command: Sequence[str], cwd: Path) -> None:
    """Run a command to its end; its output is dropped.

    Raises:
        RuntimeError: the exit code is neither 0 nor 1, or the command broke off with a traceback (exit code 1 too).
    """
    process = subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_environment())
    if process.returncode not in (0, 1) or b"Traceback (most recent call last)" in process.stderr:
        raise RuntimeError(f"{command} ended with {process.returncode}: {process.stderr.decode(errors='replace')}")


def wall_ms(command: Sequence[str], cwd: Path) -> float:
    """Milliseconds from the start of a command to its end."""
    start = time.perf_counter()
    run_command(command, cwd)
    return 1000 * (time.perf_counter() - start)


def cpu_seconds(command: Sequence[str], cwd: Path) -> float:
    """User and system time of a command and its children: a tool with a process pool gains nothing here."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run_command(command, cwd)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def interleave(functions: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, list[float]]:
    """Call each function once a round, so that a slow moment of the machine meets all of them."""
    values: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            values[name].append(function())
    return values


def medians(values: Mapping[str, list[float]]) -> dict[str, float]:
    """The median of each list."""
    return {name: statistics.median(numbers) for name, numbers in values.items()}


def _environment() -> dict[str, str]:
    """The checkout comes first, so that what is measured is what lies beside this file."""
    return {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(Path(__file__).parent.parent)}
