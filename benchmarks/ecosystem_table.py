"""The committed table of the ecosystem check: how many findings of each rule a repository has."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

Counts = dict[tuple[str, str], int]
"""By repository and by what is counted: ``files``, ``failures``, or a severity and a rule such as ``error DNN101``."""

HEADER = ("repository", "what", "number")


def read_counts(path: Path) -> Counts:
    """Read the table.

    Raises:
        ValueError: the header is another one, a number is none, or a line stands there twice.
    """
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    if tuple(header) != HEADER:
        raise ValueError(f"{path.name}: the header is {header}")
    counts: Counts = {}
    for repository, what, number in rows:
        if (repository, what) in counts:
            raise ValueError(f"{path.name}: {repository} counts {what!r} twice")
        counts[repository, what] = int(number)
    return counts


def write_counts(path: Path, counts: Mapping[tuple[str, str], int]) -> None:
    """Write the table in an order that keeps differences short."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows([*key, number] for key, number in sorted(counts.items()))


def changes(before: Mapping[tuple[str, str], int], after: Mapping[tuple[str, str], int]) -> list[str]:
    """One line for each count that differs; what is not in a table counts 0."""
    lines = []
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key, 0), after.get(key, 0)
        if old != new:
            lines.append(f"{' '.join(key)}: {old} -> {new}")
    return lines
