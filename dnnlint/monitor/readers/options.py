"""What the user says about a log that the log does not say itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dnnlint.monitor.columns import Meaning, heading_meaning


class ReadOptions(NamedTuple):
    """``interval_s`` counts where samples have no time; ``mapping`` gives other names for nvidia-smi's columns."""

    columns: tuple[str, ...] = ()
    interval_s: float | None = None
    mapping: Mapping[str, str] = {}

    def mapped(self, name: str) -> Meaning | None:
        """What the user says that a column, metric or tag holds."""
        given = self.mapping.get(name)
        return heading_meaning(given) if given is not None else None
