"""Sizes, lengths of time and moments as people read them."""

from __future__ import annotations

from datetime import datetime, timezone

_EPOCH_ERA = 1e8


def size(value: float) -> str:
    """A number of bytes in MiB or GiB."""
    return f"{value / 2**30:.1f} GiB" if abs(value) >= 2**30 else f"{value / 2**20:.0f} MiB"


def span(seconds: float) -> str:
    """A length of time in its largest two units."""
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def moment(time: float) -> str:
    """A time of a log: a clock time where the log has one, else the time since its start."""
    if time < _EPOCH_ERA:
        return f"{span(time)} after the start"
    return datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
