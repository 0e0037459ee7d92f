"""The text reports in colour, on a terminal; the only place that imports rich."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from dnnlint.engine.excerpts import Excerpts
from dnnlint.engine.model import RunResult
from dnnlint.reports.text import render_concise, render_text


def print_coloured(output_format: str, run: RunResult, excerpts: Excerpts, *, is_quiet: bool) -> None:
    """Print a text report with styles, neither wrapped nor interpreted as markup."""
    concise = output_format == "concise"
    segments = render_concise(run, is_quiet) if concise else render_text(run, excerpts, is_quiet)
    console = Console(highlight=False, soft_wrap=True)
    for segment in segments:
        console.print(Text(segment.text, style=segment.style), end="")
