"""Analyse files in several processes; the results do not depend on their number."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from dnnlint.config.selectors import Selectors
from dnnlint.engine.analyse import Job, check_file
from dnnlint.engine.model import FileResult
from dnnlint.project.tree import Projects

MAX_PROCESSES = 32
_CHUNK = 4
"""Files a process takes at once: few enough that the last ones are spread evenly."""

_selectors: Selectors | None = None
_projects: Projects | None = None


def check_in_processes(jobs: list[Job], processes: int, projects: Projects) -> Iterator[FileResult]:
    """Yield the result of each job in order; 0 processes stands for one a core."""
    count = min(processes or os.cpu_count() or 1, MAX_PROCESSES, len(jobs))
    executor = ProcessPoolExecutor(count, initializer=_start_worker, initargs=(projects.targets, projects.given))
    try:
        yield from executor.map(_check_job, jobs, chunksize=_CHUNK)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _start_worker(targets: frozenset[str], given: dict[str, bytes]) -> None:
    global _projects, _selectors
    # The parent handles an interrupt for all of them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _selectors = Selectors()
    _projects = Projects(targets, given)


def _check_job(job: Job) -> FileResult:
    if _selectors is None:
        raise RuntimeError("the worker was not started")
    return check_file(job, _selectors, _projects)
