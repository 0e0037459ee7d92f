"""Check a notebook: its code cells as one module, its findings placed in their cells."""

from __future__ import annotations

from dnnlint.config.selectors import Selectors
from dnnlint.engine.analyse import Job, check_source
from dnnlint.engine.model import FileResult
from dnnlint.engine.notebook import Notebook, read_notebook
from dnnlint.engine.source import Source
from dnnlint.finding import Finding


def check_notebook(job: Job, selectors: Selectors) -> FileResult:
    """Analyse a notebook.

    Raises:
        SourceProblem: the file is not a notebook.
    """
    notebook = read_notebook(job.data)
    result = check_source(Source(notebook.text), job.name, job.settings, selectors)
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
