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
    groups = _groups(jobs, projects, count)
    count = min(count, len(groups))
    executor = ProcessPoolExecutor(count, initializer=_start_worker, initargs=(projects.given,))
    done: dict[int, FileResult] = {}
    upcoming = 0
    try:
        tasks = [[jobs[index] for index in group] for group in groups]
        for group, results in zip(groups, executor.map(_check_jobs, tasks, chunksize=1), strict=True):
            done.update(zip(group, results, strict=True))
            while upcoming in done:
                yield done.pop(upcoming)
                upcoming += 1
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _groups(jobs: list[Job], projects: Projects, processes: int) -> list[list[int]]:
    """The jobs by position: the files of one program together, as they are judged at once; others a few at a time."""
    together: dict[tuple[str, ...], list[int]] = {}
    alone: list[int] = []
    for index, job in enumerate(jobs):
        cluster = projects.tree(job.path, job.walked).cluster(job.path) if job.path else ()
        if len(cluster) > 1:
            together.setdefault(cluster, []).append(index)
        else:
            alone.append(index)
    size = max(1, min(_CHUNK, len(alone) // processes))
    few = [alone[start : start + size] for start in range(0, len(alone), size)]
    return sorted([*together.values(), *few])


def _start_worker(given: dict[str, bytes]) -> None:
    global _projects, _selectors
    # The parent handles an interrupt for all of them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _selectors = Selectors()
    _projects = Projects(given)


def _check_jobs(jobs: list[Job]) -> list[FileResult]:
    if _selectors is None:
        raise RuntimeError("the worker was not started")
    return [check_file(job, _selectors, _projects) for job in jobs]
