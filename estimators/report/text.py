"""The report of an estimate for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from dnnlint.estimators.batch.largest import HIGHEST_BATCH
from dnnlint.estimators.report import timeline
from dnnlint.estimators.report.schema import Estimate, Memory, VerdictStatus

_PARTS = {
    "parameters": "parameters",
    "buffers": "buffers",
    "gradients": "gradients",
    "optimizer_state": "optimizer state",
    "activations": "activations",
    "inputs": "inputs",
    "temporaries": "temporaries",
    "workspaces": "workspaces",
    "rounding": "rounding to blocks",
}
_COLOURS = {
    VerdictStatus.FITS: "bold green",
    VerdictStatus.FITS_WITHOUT_HEADROOM: "bold yellow",
    VerdictStatus.DOES_NOT_FIT: "bold red",
    VerdictStatus.CANNOT_TELL: "bold yellow",
    VerdictStatus.NOT_ASKED: "dim",
}
_BAR_WIDTH = 24
_FLOP_SPAN: dict[object, str] = {
    "train": "a step (forward and backward)",
    "inference": "a forward pass",
    "generate": "for the prompt",
}


def format_bytes(size: int) -> str:
    """Return a size as PyTorch prints it, in binary units: ``5.93 GiB``, ``37.5 MiB``, ``512 B``."""
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= scale:
            return f"{size / scale:.2f} {unit}"
    return f"{size} B"


def format_count(number: float) -> str:
    """Return a count in short, to be followed by a unit: ``25.56 M`` or ``12 ``."""
    for unit, scale in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= scale:
            return f"{number / scale:.2f} {unit}"
    return f"{number:g} "


def render(estimate: Estimate, console: Console) -> None:
    """Print the report."""
    _headline(estimate, console)
    _peaks(estimate, console)
    _composition(estimate, console)
    _modules(estimate, console)
    _timeline(estimate, console)
    _settings(estimate, console)
    for title, lines in (
        ("Assumptions", estimate.assumptions),
        ("Placeholders for values that only a run has", estimate.placeholders),
        ("Not modelled", estimate.not_modelled),
        ("Notices", estimate.warnings),
        ("Confinement of the target", tuple(f"{name}: {how}" for name, how in estimate.sandbox.items())),
    ):
        _list(title, lines, console)
    _verdict(estimate, console)


def _headline(estimate: Estimate, console: Console) -> None:
    device = estimate.device
    frozen = estimate.parameters - estimate.trainable_parameters
    console.print(
        f"[bold]{escape(estimate.target)}[/bold] on {escape(device.name)}, {format_bytes(device.memory_bytes)}",
        highlight=False,
    )
    parts = [
        f"{format_count(estimate.parameters).strip()} parameters"
        + (f", {format_count(frozen).strip()} of them frozen" if frozen else "")
    ]
    mode = estimate.config["mode"].value if "mode" in estimate.config else "train"
    if estimate.flops_per_step is not None:
        parts.append(f"{format_count(estimate.flops_per_step)}FLOP {_FLOP_SPAN[mode]}")
    console.print(f"[dim]{escape(estimate.entry)}[/dim]", highlight=False)
    console.print("; ".join(parts), highlight=False)


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for index, name in enumerate(columns):
        table.add_column(name, justify="left" if index == 0 else "right", overflow="fold")
    return table


def _section(title: str, body: Table, console: Console) -> None:
    console.print()
    console.print(f"[bold]{title}[/bold]", highlight=False)
    console.print(Padding(body, (0, 0, 0, 2)))


def _peaks(estimate: Estimate, console: Console) -> None:
    table = _table("", "allocated", "reserved", "on the device")
    rows: list[tuple[str, Memory]] = [("steady state", estimate.peak), ("first step", estimate.first_step)]
    rows += [(f"  {name}", memory) for name, memory in estimate.phases.items()]
    for name, memory in rows:
        sizes = (memory.allocated_bytes, memory.reserved_bytes, memory.device_bytes)
        table.add_row(name, *map(format_bytes, sizes))
    table.add_row("likely between", "", "", format_bytes(estimate.interval.low_bytes))
    table.add_row("and", "", "", format_bytes(estimate.interval.high_bytes))
    _section("Peaks", table, console)


def _composition(estimate: Estimate, console: Console) -> None:
    total = estimate.at_peak.total_bytes
    table = _table("", "bytes", "size", "")
    table.columns[3].justify = "left"
    bar = "█" if _is_unicode(console) else "#"
    for name, label in _PARTS.items():
        size = getattr(estimate.at_peak, name)
        if size:
            table.add_row(label, f"{size:,}", format_bytes(size), bar * round(size / total * _BAR_WIDTH))
    table.add_row("sum", f"{total:,}", format_bytes(total), "")
    place = estimate.peak_at
    where = f"{place.operator} in {place.module or 'the model'}, {place.phase}"
    _section(f"Alive at the peak ({escape(where)})", table, console)


def _modules(estimate: Estimate, console: Console) -> None:
    table = _table("module", "held at the peak", "parameters")
    for share in estimate.modules:
        count = format_count(share.parameters).strip() if share.parameters and share.module else ""
        table.add_row(escape(share.module) or "(outside modules)", format_bytes(share.bytes), count)
    _section("Largest holders", table, console)


def _timeline(estimate: Estimate, console: Console) -> None:
    lines = timeline.draw(estimate.timeline, unicode=_is_unicode(console))
    if lines:
        console.print("\n[bold]One step[/bold]", highlight=False)
        for line in lines:
            console.print(f"  {line}", highlight=False, markup=False, no_wrap=True, overflow="crop")


def _is_unicode(console: Console) -> bool:
    return console.encoding.lower().startswith("utf")


def _settings(estimate: Estimate, console: Console) -> None:
    table = _table("setting", "value", "from")
    for column in table.columns:
        column.justify = "left"
    for name, setting in estimate.config.items():
        table.add_row(name.replace("_", " "), escape(str(setting.value)), escape(setting.source))
    _section("Settings", table, console)


def _list(title: str, lines: Iterable[str], console: Console) -> None:
    entries = list(lines)
    if not entries:
        return
    console.print(f"\n[bold]{title}[/bold]", highlight=False)
    for line in entries:
        console.print(Padding(f"- {escape(line)}", (0, 0, 0, 2)), highlight=False)


def _verdict(estimate: Estimate, console: Console) -> None:
    verdict = estimate.verdict
    console.print()
    console.print(f"[{_COLOURS[verdict.status]}]{verdict.status.value}[/]: {escape(verdict.reason)}", highlight=False)
    if estimate.max_batch is not None:
        share = f" with {verdict.headroom:.0%} headroom" if verdict.headroom else ""
        # The search ends at a limit: beyond it nobody has looked.
        bound = "at least " if estimate.max_batch >= HIGHEST_BATCH else ""
        console.print(f"largest batch{share}: {bound}[bold]{estimate.max_batch}[/bold]", highlight=False)
