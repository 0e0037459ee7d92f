"""The checklist as a table and as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dnnlint.doctor.machine import Machine
from dnnlint.doctor.model import Row, Status

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA_VERSION = 1
_STYLES = {Status.OK: "green", Status.ATTENTION: "yellow", Status.WRONG: "bold red", Status.CANNOT_TELL: "magenta"}


def encode(rows: Sequence[Row], machine: Machine, code: int) -> dict[str, object]:
    """The JSON object of ``--json``."""
    return {
        "schema_version": SCHEMA_VERSION,
        "rows": [{**dataclasses.asdict(row), "status": row.status.value} for row in rows],
        "gpus": [dataclasses.asdict(gpu) for gpu in machine.gpus.gpus],
        "python": machine.python.executable,
        "torch": machine.torch.version or None,
        "disk_speed": dataclasses.asdict(machine.disk_speed) if machine.disk_speed else None,
        "summary": {status.value: sum(row.status is status for row in rows) for status in Status},
        "exit_code": code,
    }


def render(rows: Sequence[Row], console: Console) -> None:
    """Print the table."""
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=False)
    for heading in ("", "status", "found", "what to do"):
        table.add_column(heading, overflow="fold")
    topic = ""
    for row in rows:
        if topic and row.topic != topic:
            table.add_section()
        topic = row.topic
        status = Text(row.status.value, style=_STYLES[row.status])
        table.add_row(Text(f"{row.topic}: {row.name}"), status, Text(row.found), Text(row.advice))
    console.print(table)
    counts = [f"{sum(row.status is status for row in rows)} {status.value}" for status in Status]
    console.print(", ".join(counts))
