"""Check one file: from its bytes to its findings."""

from __future__ import annotations

from typing import NamedTuple

from dnnlint.config.model import RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.engine.builtin import engine_finding
from dnnlint.engine.model import FileResult
from dnnlint.engine.notebook import Notebook, read_notebook
from dnnlint.engine.prefilter import compiles, concerns_training
from dnnlint.engine.source import Source, SourceProblem, decode
from dnnlint.finding import Finding

NOTEBOOK_SUFFIX = ".ipynb"


class Job(NamedTuple):
    """A file to analyse; everything a worker process needs beside the selectors."""

    name: str
    data: bytes
    settings: RuleSettings


def is_trivial(name: str, data: bytes) -> bool:
    """Whether a file can be answered without libcst: nothing in it concerns training and it compiles."""
    if concerns_training(data):
        return False
    return name.endswith(NOTEBOOK_SUFFIX) or compiles(data)


def check_file(job: Job, selectors: Selectors) -> FileResult:
    """Analyse one file that was not answered before; never raises for what the file holds."""
    if is_trivial(job.name, job.data):
        return FileResult()
    try:
        if job.name.endswith(NOTEBOOK_SUFFIX):
            notebook = read_notebook(job.data)
            result = check_source(Source(notebook.text), job.name, job.settings, selectors)
            return _in_cells(result, notebook)
        return check_source(decode(job.data), job.name, job.settings, selectors)
    except SourceProblem as problem:
        place = (problem.line, problem.column)
        finding = engine_finding("DNN000", job.name, place, f"{problem.message}.", job.settings)
        return FileResult((finding,) if finding else ())


def check_source(source: Source, name: str, settings: RuleSettings, selectors: Selectors) -> FileResult:
    """Analyse decoded Python source."""
    from dnnlint.engine.syntax import check_text  # imports libcst, 0.2 s

    return check_text(source.text, name, settings, selectors)


def _in_cells(result: FileResult, notebook: Notebook) -> FileResult:
    return FileResult(tuple(_in_cell(f, notebook) for f in result.findings), result.suppressed, result.errors)


def _in_cell(finding: Finding, notebook: Notebook) -> Finding:
    cell, line = notebook.cell_place(finding.line)
    end_line = line + finding.end_line - finding.line
    return Finding(
        code=finding.code,
        name=finding.name,
        severity=finding.severity,
        path=f"{finding.path}:cell {cell}",
        line=line,
        column=finding.column,
        end_line=end_line,
        end_column=finding.end_column,
        message=finding.message,
        help=finding.help,
        clause=finding.clause,
        fix=None,  # offsets into the joined cells mean nothing in the notebook
    )
