"""The pool of processes; that its results are those of one process is tested with the command line."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator

import pytest

from dnnlint.config.model import Config, Overrides, RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine import check, pool
from dnnlint.engine.analyse import Job
from dnnlint.engine.check import CheckOptions, check_targets
from dnnlint.engine.discovery import Target
from dnnlint.engine.model import FileResult
from dnnlint.project.tree import Projects

SETTINGS = RuleSettings({"DNN000": None}, {}, "")
JOBS = [Job(f"f{i}.py", b"import torch\n", SETTINGS) for i in range(5)]


class FakeExecutor:
    """Runs everything at once in this process, and remembers how it was made."""

    made: list[int]

    def __init__(self, count: int, initializer: Callable[..., None], initargs: tuple[object, ...]) -> None:
        FakeExecutor.made.append(count)
        initializer(*initargs)

    def map(self, function: Callable[[Job], FileResult], jobs: list[Job], chunksize: int) -> Iterator[FileResult]:
        assert chunksize >= 1
        return map(function, jobs)

    def shutdown(self, wait: bool, cancel_futures: bool) -> None:
        assert wait
        assert cancel_futures


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The sizes of the pools that a test makes."""
    FakeExecutor.made = []
    monkeypatch.setattr(pool, "ProcessPoolExecutor", FakeExecutor)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(pool, "_selectors", None)
    before = signal.getsignal(signal.SIGINT)
    yield FakeExecutor.made
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("asked", "count"), [(0, 5), (2, 2), (100, 5)], ids=["one a core", "two", "too many"])
def test_number_of_processes(asked: int, count: int, made: list[int]) -> None:
    """Never more than there are files, and the results are in order."""
    assert list(pool.check_in_processes(JOBS, asked, Projects())) == [FileResult()] * 5
    assert made == [count]


def test_worker_must_be_started(made: list[int]) -> None:
    """A worker without its rule set is a bug and says so."""
    with pytest.raises(RuntimeError, match="was not started"):
        pool._check_jobs(JOBS[:1])


@pytest.mark.parametrize(("files", "pools"), [(3, []), (4, [4])], ids=["few files", "many files"])
def test_pool_starts_for_many_files(
    files: int, pools: list[int], made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below the limit one process is faster."""
    monkeypatch.setattr(check, "MIN_FILES_FOR_POOL", 4)
    config = Config("")
    targets = [Target(f"/f{i}.py", f"f{i}.py", config) for i in range(files)]
    given = {target.name: b"import torch\n" for target in targets}
    selectors = Selectors()
    resolver = SettingsResolver(selectors, Overrides(select=("DNN000",)))
    result = check_targets(targets, selectors, resolver, CheckOptions(), given)
    assert (result.files, result.findings) == (files, ())
    assert made == pools
