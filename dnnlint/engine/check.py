"""Check a list of files: cache, processes, order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from dnnlint.config.model import SEVERITY_RANKS
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import Job, check_file, is_trivial
from dnnlint.engine.discovery import Target
from dnnlint.engine.model import FileError, FileNote, FileResult, RunResult
from dnnlint.engine.neighbours import find_neighbours
from dnnlint.engine.source import read_bytes
from dnnlint.project.tree import Projects

if TYPE_CHECKING:
    from dnnlint.finding import Finding

PYTHON_SUFFIX = ".py"
MIN_FILES_FOR_POOL = 40
"""Below this, starting processes costs more than it saves: each imports libcst in 0.2 s."""

Progress = Callable[[int, int], None]


class CheckOptions(NamedTuple):
    """How a check is carried out; none of it changes what is found."""

    processes: int = 0
    """0 decides by the number of files."""
    cache_folder: str | None = None
    """None switches the cache off."""
    progress: Progress | None = None
    """Called with the number of files analysed and to analyse."""


class _Plan:
    """What is known before anything is parsed."""

    def __init__(self) -> None:
        self.results: dict[str, FileResult] = {}
        self.jobs: list[Job] = []
        self.cached = 0


def check_targets(
    targets: list[Target],
    selectors: Selectors,
    resolver: SettingsResolver,
    options: CheckOptions,
    given: Mapping[str, bytes] | None = None,
) -> RunResult:
    """Check files; ``given`` holds the content of those that are not read from the disk, by name."""
    contents = given or {}
    by_path = {target.path: contents[target.name] for target in targets if target.name in contents}
    projects = Projects(by_path)
    store = _Store(options.cache_folder, projects)
    plan = _plan(targets, resolver, store, contents, projects)
    for job, result in _analyse(plan.jobs, selectors, options, projects):
        plan.results[job.name] = result
        store.put(job, result)
    store.save()
    return _summarise(targets, plan, resolver)


class _Store:
    """The cache, or nothing when it is switched off."""

    def __init__(self, folder: str | None, projects: Projects) -> None:
        self._cache = None
        if folder is not None:
            from dnnlint.engine.cache import Cache

            self._cache = Cache(folder, projects)

    def get(self, job: Job) -> FileResult | None:
        return None if self._cache is None else self._cache.get(job)

    def put(self, job: Job, result: FileResult) -> None:
        if self._cache is not None:
            self._cache.put(job, result)

    def save(self) -> None:
        if self._cache is not None:
            self._cache.save()


def _may_be_linked(job: Job, projects: Projects) -> bool:
    return job.name.endswith(PYTHON_SUFFIX) and projects.tree(job.path, job.walked).is_member(job.path)


def _is_linked(job: Job, projects: Projects) -> bool:
    """Whether a file that says nothing of training itself, such as one with the options, is judged with others."""
    return _may_be_linked(job, projects) and len(projects.tree(job.path, job.walked).cluster(job.path)) > 1


def _plan(
    targets: list[Target],
    resolver: SettingsResolver,
    store: _Store,
    given: Mapping[str, bytes],
    projects: Projects,
) -> _Plan:
    plan = _Plan()
    for target in targets:
        try:
            data = given[target.name] if target.name in given else read_bytes(target.path)
        except OSError as error:
            plan.results[target.name] = _unreadable(target.name, error)
            continue
        settings = resolver.for_file(target.path, target.config)
        job = Job(target.name, data, settings, target.path, target.walked, find_neighbours(target.path, data))
        known = store.get(job)
        if known is not None:
            plan.results[target.name] = known
            plan.cached += 1
        elif is_trivial(job.name, job.data) and not _is_linked(job, projects):
            # A file that may be a part of a program is one as soon as another file imports it.
            plan.results[target.name] = FileResult(is_linked=_may_be_linked(job, projects))
            store.put(job, plan.results[target.name])
        else:
            plan.jobs.append(job)
    return plan


def _analyse(
    jobs: list[Job], selectors: Selectors, options: CheckOptions, projects: Projects
) -> Iterator[tuple[Job, FileResult]]:
    processes = options.processes or (0 if len(jobs) >= MIN_FILES_FOR_POOL else 1)
    if processes == 1 or len(jobs) < 2:
        results: Iterable[FileResult] = (check_file(job, selectors, projects) for job in jobs)
    else:
        from dnnlint.engine.pool import check_in_processes

        results = check_in_processes(jobs, processes, projects)
    for count, (job, result) in enumerate(zip(jobs, results, strict=True), 1):
        if options.progress is not None:
            options.progress(count, len(jobs))
        yield job, result


def _summarise(targets: list[Target], plan: _Plan, resolver: SettingsResolver) -> RunResult:
    findings: list[Finding] = []
    errors: list[FileError] = []
    notes: list[FileNote] = []
    suppressed = 0
    is_failure = False
    for target in targets:
        result = plan.results[target.name]
        findings += result.findings
        errors += result.errors
        notes += (FileNote(target.name, text) for text in result.notes)
        suppressed += result.suppressed
        limit = SEVERITY_RANKS[resolver.fail_on(target.config)]
        is_failure = is_failure or any(finding.severity.rank <= limit for finding in result.findings)
    shown = (tuple(findings), suppressed, tuple(errors), is_failure, plan.cached)
    return RunResult(len(targets), *shown, notes=tuple(notes))


def _unreadable(name: str, error: OSError) -> FileResult:
    return FileResult(errors=(FileError(name, f"cannot be read: {error.strerror or error}"),))
