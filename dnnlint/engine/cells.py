"""Check a notebook: its code cells as one module, its findings placed in their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.config.selectors import Selectors
from dnnlint.engine.analyse import Job, Subject, check_source
from dnnlint.engine.model import FileResult
from dnnlint.engine.notebook import Notebook, read_notebook
from dnnlint.engine.source import Source
from dnnlint.finding import Finding

if TYPE_CHECKING:
    from dnnlint.project.tree import ProjectTree


def check_notebook(job: Job, selectors: Selectors, tree: ProjectTree | None = None) -> FileResult:
    """Analyse a notebook.

    Raises:
        SourceProblem: the file is not a notebook.
    """
    notebook = read_notebook(job.data)
    result = check_source(Source(notebook.text), job.name, job.settings, selectors, Subject(job.path, tree))
    return result._replace(findings=tuple(_in_cell(f, notebook) for f in result.findings))


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
