"""Check one file: from its bytes to its findings."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from dnnlint.config.model import RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.deploy import kinds
from dnnlint.engine.model import FileResult
from dnnlint.engine.prefilter import compiles, concerns_training

if TYPE_CHECKING:
    from dnnlint.engine.source import Source
    from dnnlint.project.tree import Projects, ProjectTree

NOTEBOOK_SUFFIX = ".ipynb"
GC_THRESHOLD = 50_000


class Job(NamedTuple):
    """A file to analyse; everything a worker process needs beside the selectors."""

    name: str
    data: bytes
    settings: RuleSettings
    path: str = ""
    """Absolute; empty for a text that belongs to no project."""
    walked: str | None = None
    """The folder that was searched for files when this one was found."""
    neighbours: Mapping[str, bytes] = {}
    """For a deployment file: the files that it names or that lie beside it, by relative path."""

    @property
    def kind(self) -> str | None:
        """The kind of a deployment file; None for Python."""
        return kinds.kind_of(self.name, self.data)


class Subject(NamedTuple):
    """Where a text stands: the absolute path of its file and the project around it."""

    path: str = ""
    tree: ProjectTree | None = None


NO_PROJECT = Subject()


def is_trivial(name: str, data: bytes) -> bool:
    """Whether a file can be answered without libcst: nothing in it concerns training and it compiles."""
    kind = kinds.kind_of(name, data)
    if kind is not None:
        return kind == kinds.OTHER or not kinds.concerns_training(data)
    if concerns_training(data):
        return False
    return _is_notebook(data) if name.endswith(NOTEBOOK_SUFFIX) else compiles(data)


def _is_notebook(data: bytes) -> bool:
    """Whether a file is JSON with cells, or empty as editors make a new notebook."""
    import json

    try:
        document = json.loads(data) if data.strip() else {"cells": []}
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and isinstance(document.get("cells"), list)


def check_file(job: Job, selectors: Selectors, projects: Projects | None = None) -> FileResult:
    """Analyse one file that was not answered before; never raises for what the file holds."""
    from dnnlint.engine.source import SourceProblem, decode

    # A syntax tree is many objects without cycles; looking for some after every 700 objects costs 5 % of a check.
    gc.set_threshold(max(gc.get_threshold()[0], GC_THRESHOLD))

    try:
        tree = projects.tree(job.path, job.walked) if projects is not None and job.path else None
        if job.name.endswith(NOTEBOOK_SUFFIX):
            from dnnlint.engine.cells import check_notebook

            return check_notebook(job, selectors, tree)
        source = decode(job.data)
        if job.kind is not None:
            from dnnlint.engine.deployments import check_deployment

            return check_deployment(source.text, job, selectors)
        return check_source(source, job.name, job.settings, selectors, Subject(job.path, tree))
    except SourceProblem as problem:
        from dnnlint.engine.builtin import engine_finding

        place = (problem.line, problem.column)
        finding = engine_finding("DNN000", job.name, place, problem.message, job.settings)
        return FileResult((finding,) if finding else ())


def check_source(
    source: Source, name: str, settings: RuleSettings, selectors: Selectors, subject: Subject = NO_PROJECT
) -> FileResult:
    """Analyse decoded Python source."""
    from dnnlint.engine.syntax import check_text  # imports libcst, 0.2 s

    return check_text(source.text, name, settings, selectors, subject)
