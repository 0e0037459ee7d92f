"""The judgement of a log as text and as JSON."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.monitor.judge import is_judged
from dnnlint.monitor.log import Log
from dnnlint.monitor.model import GpuSummary, Judgement
from dnnlint.monitor.question import Question
from dnnlint.monitor.wording import size, span

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA_VERSION = 1
_WIDE = 120
"""A terminal that has room for the names of GPUs."""
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.ADVICE: "cyan"}


def encode(log: Log, judgement: Judgement, question: Question) -> dict[str, object]:
    """The JSON object of ``--format json``: bytes, seconds, percent, degrees Celsius, watts."""
    by_severity = {
        severity.value: sum(finding.severity is severity for finding in judgement.observations) for severity in Severity
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "source": log.source,
        "log_format": log.format,
        "mode": question.mode,
        "thresholds": question.limits._asdict(),
        "gpus": [dataclasses.asdict(summary) for summary in judgement.summaries],
        "findings": [
            {**dataclasses.asdict(finding), "severity": finding.severity.value} for finding in judgement.observations
        ],
        "notices": list(judgement.notices),
        "summary": {
            "gpus": len(judgement.summaries),
            "findings": len(judgement.observations),
            "by_severity": by_severity,
            "lines_skipped": log.lines_skipped,
        },
    }


def render(log: Log, judgement: Judgement, console: Console) -> None:
    """Print the figures of each GPU, the findings and the notices."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{log.source} ({log.format})", title_justify="left")
    table.add_column("GPU")
    for heading in ("samples", "time", "utilisation", "memory peak", "mean", "of", "temperature", "idle"):
        table.add_column(heading, justify="right")
    for summary in judgement.summaries:
        table.add_row(*map(Text, _cells(summary, console.width >= _WIDE)))
    console.print(table)
    for finding in judgement.observations:
        line = Text(f"{finding.severity.value}: ", style=_STYLES[finding.severity])
        line.append(f"{finding.message} [{finding.name}, {finding.clause}]", style="default")
        console.print(line, soft_wrap=True)
        console.print(Text(f"  help: {finding.help}"), soft_wrap=True)
    for notice in judgement.notices:
        console.print(Text(f"notice: {notice}", style="dim"), soft_wrap=True)
    if not judgement.observations:
        console.print("Nothing found." if is_judged(log) else "Nothing could be judged.")


def _cells(summary: GpuSummary, with_name: bool) -> tuple[str, ...]:
    label = f"{summary.gpu} {summary.name}".strip() if with_name else summary.gpu
    mean, low = summary.utilisation_mean_percent, summary.temperature_mean_c
    temperature = "-" if low is None else f"{low:.0f}, max. {summary.temperature_max_c:.0f} °C"
    return (
        label,
        str(summary.samples),
        "-" if summary.duration_s is None else span(summary.duration_s),
        "-" if mean is None else f"{mean:.0f} %",
        *("-" if value is None else size(value) for value in _memory(summary)),
        temperature,
        "-" if summary.idle_share is None else f"{summary.idle_share:.0%}",
    )


def _memory(summary: GpuSummary) -> tuple[float | None, float | None, float | None]:
    return summary.memory_peak_bytes, summary.memory_mean_bytes, summary.memory_total_bytes
