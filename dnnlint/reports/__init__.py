"""Render the outcome of a check in one of the output formats."""

from __future__ import annotations

from collections.abc import Iterator

from dnnlint.engine.excerpts import Excerpts
from dnnlint.engine.model import RunResult

FORMATS = ("text", "concise", "json", "sarif", "github")


def render(output_format: str, run: RunResult, excerpts: Excerpts, *, is_quiet: bool = False) -> Iterator[str]:
    """Yield the pieces of a report; a run without findings gives a valid empty one."""
    if output_format == "json":
        from dnnlint.reports.json_format import render_json

        return render_json(run)
    if output_format == "sarif":
        from dnnlint.reports.sarif import render_sarif

        return render_sarif(run, excerpts)
    if output_format == "github":
        from dnnlint.reports.github import render_github

        return render_github(run)
    from dnnlint.reports.text import render_concise, render_text

    plain = render_concise(run, is_quiet) if output_format == "concise" else render_text(run, excerpts, is_quiet)
    return (segment.text for segment in plain)
