"""Writes ``docs/accuracy.md`` and its pictures from the results.

python -m benchmarks.accuracy.report
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks.accuracy import intervals, missing, prose, scores
from benchmarks.accuracy.scores import TITLES, Bound, Scored
from dnnlint.estimators.devices import find_gpu
from dnnlint.estimators.report.uncertainty import WORKSPACE_MULTIPLE

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "accuracy.md"
PICTURES = DOCS / "accuracy"
SHARE = 0.03
WORST = 12


def percentile(values: Iterable[float], share: float) -> float:
    """Return the value that a share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown, numbers aligned to the right."""
    body = [[str(cell) for cell in line] for line in lines]
    rule = ["---" if i == 0 else "---:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *body])


def percent(value: float, digits: int = 2) -> str:
    """Return a share as a percentage."""
    return f"{100 * value:.{digits}f} %"


def _statistics(found: Sequence[Scored]) -> list[str]:
    sizes = [abs(s.error) for s in found]
    under = sum(s.error < -0.01 for s in found) / len(found)
    worst = max(found, key=lambda s: abs(s.error))
    return [
        str(len(found)),
        percent(median(sizes)),
        percent(sum(sizes) / len(sizes)),
        percent(percentile(sizes, 0.95)),
        f"{100 * worst.error:+.1f} %",
        percent(under, 1),
    ]


HEAD = ("rows", "median error", "mean", "95th percentile", "worst", "more than 1 % too low")


def by(groups: Mapping[str, Sequence[Scored]], name: str) -> str:
    """Return the statistics of each group, largest median error first."""
    ordered = sorted(groups.items(), key=lambda item: -median(abs(s.error) for s in item[1]))
    return table((name, *HEAD), ([TITLES.get(key, key), *_statistics(found)] for key, found in ordered))


def grouped(found: Iterable[Scored], key: Callable[[Scored], str], fewest: int = 1) -> dict[str, list[Scored]]:
    """Return rows by a key; groups of fewer rows than ``fewest`` are left out."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in found:
        groups[key(one)].append(one)
    return {name: members for name, members in groups.items() if len(members) >= fewest}


def worst_rows(found: Sequence[Scored]) -> str:
    """Return the rows with the largest errors."""
    ordered = sorted(found, key=lambda s: -abs(s.error))[:WORST]
    lines = (
        [s.id, s.gpu, f"{(s.low + s.high) / 2:,.0f}", f"{s.predicted:,.0f}", f"{100 * s.error:+.1f} %"] for s in ordered
    )
    return table(("row", "GPU", "measured, MiB", "predicted, MiB", "error"), lines)


def bounds_tables(found: Sequence[Bound]) -> tuple[str, str, float]:
    """Return the confusion tables of the bounds, the families with misses, and the limit."""
    limit = scores.best_limit(found, SHARE)
    count = len(found)
    consistent = sum(b.consistent(limit, SHARE) for b in found)
    gpu = find_gpu("rtx-3090")
    roomy = (gpu.memory_bytes * 0.8 - gpu.context.high_bytes) / scores.MIB
    verdicts: list[tuple[str, list[bool], list[bool]]] = [
        ("allocated peak below the limit", [b.fits <= limit for b in found], [b.does_not <= limit for b in found]),
        ("*fits* with or without headroom", [b.said_fits for b in found], [b.said_next_fits for b in found]),
        ("*fits* with 20 % headroom", [b.reserved <= roomy for b in found], [b.next_reserved <= roomy for b in found]),
    ]
    lines = [[name, sum(ran), count - sum(ran), sum(failed), count - sum(failed)] for name, ran, failed in verdicts]
    head = ("said to fit if", "ran, said to fit", "ran, said not to", "failed, said to fit", "failed, said not to")
    text = (
        f"{consistent} of {count} bounds ({percent(consistent / count, 1)}) agree with one limit of {limit:,.0f} MiB "
        f"for the allocated peak, give or take 3 %.\n\n" + table(head, lines)
    )
    misses = Counter(b.model for b in found if not b.consistent(limit, SHARE))
    totals = Counter(b.model for b in found)
    sides = {
        model: "predicted too much"
        if any(b.fits > limit * (1 + SHARE) for b in found if b.model == model)
        else "predicted too little"
        for model in misses
    }
    systematic = [(m, n, totals[m], sides[m]) for m, n in misses.most_common() if 2 * n > totals[m]]
    return text, table(("model", "bounds missed", "of", "")[:4], systematic), limit


Answer = tuple[Scored, float]
"""A published row and what a tool says of it, in MiB."""


def peers_table(found: Sequence[Scored], constant: float) -> str:
    """Return errors of all tools on the rows that a tool answered."""
    published = {s.id: s for s in found}
    lines = []
    for tool, answers in scores.peers().items():
        known = [(published[key], size / scores.MIB) for key, size in answers.items() if key in published]
        for source in ("smi_timm", "hf_tables"):
            rows = [(s, size) for s, size in known if s.source == source]
            if rows:
                lines.append(_peer_line(prose.TOOLS[tool], source, rows, constant if source == "smi_timm" else 0.0))
    fake = [
        (s, float(row["fake_tensor_peer_estimate_MiB"]))
        for row in scores.smi_rows()
        if (s := published.get(scores.smi_key(row))) and row["fake_tensor_peer_estimate_MiB"]
    ]
    lines.append(_peer_line("FakeTensor estimate in the data", "smi_timm", fake, 0.0))
    lines.append(_peer_line("the same plus the constant", "smi_timm", fake, constant))
    head = ("tool", "rows of", "answered", "median error", "95th percentile", "too low by 1 %", "dnnlint on these")
    return table(head, lines)


def _peer_line(name: str, source: str, rows: Sequence[Answer], added: float) -> list[object]:
    theirs = [abs((size + added) / s.low - 1) for s, size in rows]
    under = sum((size + added) < 0.99 * s.low for s, size in rows) / len(rows)
    return [
        name,
        TITLES[source],
        len(rows),
        percent(median(theirs), 1),
        percent(percentile(theirs, 0.95), 1),
        percent(under, 0),
        percent(median(abs(s.error) for s, _ in rows), 1),
    ]


def coverage_table(allocated: Sequence[Scored], smi: Sequence[Scored], constant: float) -> str:
    """Return the coverage of the interval on both halves."""
    lines = []
    groups: list[tuple[str, list[Scored], float | None]] = [
        ("allocated", list(allocated), None),
        ("allocated, tier A", [s for s in allocated if s.tier == "A"], None),
        ("on the device", [s for s in smi if not s.searched], constant),
        ("on the device, search seen", [s for s in smi if s.searched], constant),
    ]
    for name, found, added in groups:
        for half, members in zip(("calibration", "test"), intervals.halves(found), strict=True):
            seen = intervals.coverage(members, added)
            lines.append(
                [name, half, seen.rows, percent(seen.inside, 1), percent(seen.above, 1), percent(seen.below, 1)]
            )
    return table(("peak", "half", "rows", "inside", "measured above", "measured below"), lines)


def beyond(allocated: Sequence[Scored], smi: Sequence[Scored], constant: float) -> str:
    """Return which rows were measured above their interval."""
    rows = [one for one in allocated if one.low > intervals.bounds_of(one, None)[1]]
    rows += [one for one in smi if one.low > intervals.bounds_of(one, constant)[1]]
    count = len(allocated) + len(smi)
    groups = Counter(f"{TITLES[one.source]} ({one.family})" for one in rows).most_common(6)
    named = ", ".join(f"{name}: {number}" for name, number in groups)
    return f"Together {len(rows)} of {count:,} rows ({percent(len(rows) / count, 1)}) were; the most of them {named}."


def page() -> str:
    """Return the text of the page."""
    smi, allocated, found = scores.smi(), intervals.all_allocated(), scores.bounds()
    constant = round(smi[0].predicted - scores.smi(0.0)[0].predicted)
    groups = _by_source(allocated, smi)
    confusion, systematic, _ = bounds_tables(found)
    gone = missing.exact() + missing.bounds() + missing.smi()
    return prose.PAGE.format(
        total=f"{sum(len(g) for g in groups.values()) + len(found):,}",
        sources=by(groups, "source"),
        worst=worst_rows(allocated),
        worst_smi=worst_rows(smi),
        families=by(grouped([*allocated, *smi], lambda s: s.family, 8), "family"),
        gpus=by(grouped([*allocated, *smi], lambda s: s.gpu), "GPU"),
        bounds=confusion,
        systematic=systematic,
        constant=f"{constant:,}",
        peers=peers_table([*allocated, *smi], constant),
        coverage=coverage_table(allocated, smi, constant),
        beyond=beyond(allocated, smi, constant),
        multiple=f"{WORKSPACE_MULTIPLE:g}",
        missing=table(("rows of", "reason", "rows"), ([name, why, n] for (name, why), n in sorted(gone.items()))),
    )


def _by_source(allocated: Sequence[Scored], smi: Sequence[Scored]) -> dict[str, Sequence[Scored]]:
    groups = {**grouped(allocated, lambda s: s.source), "smi_timm": smi}
    return {name: groups[name] for name in TITLES if name in groups}


def main() -> int:
    """Write the page and its pictures."""
    from benchmarks.accuracy import plots

    PICTURES.mkdir(exist_ok=True)
    groups, found = _by_source(intervals.all_allocated(), scores.smi()), scores.bounds()
    plots.predicted_against_measured(groups, PICTURES / "predicted.png")
    plots.errors(groups, PICTURES / "errors.png")
    plots.limits(found, scores.best_limit(found, SHARE), PICTURES / "limits.png")
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
