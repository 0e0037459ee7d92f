"""Pictures of ``docs/accuracy.md``; needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from benchmarks.accuracy.scores import TITLES, Bound, Scored

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6BB1", "#999999"]
"""Okabe and Ito's palette, which colour-blind readers can tell apart, and two more."""

DOTS_PER_INCH = 110


def save(figure: Figure, path: Path) -> None:
    """Write a picture without a date, so that the same data give the same file."""
    figure.tight_layout()
    figure.savefig(path, dpi=DOTS_PER_INCH, metadata={"Software": None})


def predicted_against_measured(groups: Mapping[str, Sequence[Scored]], path: Path) -> None:
    """Draw every row on logarithmic axes."""
    figure = Figure(figsize=(7, 6))
    axes = figure.subplots()
    for colour, (source, found) in zip(COLOURS, groups.items(), strict=False):
        axes.scatter(
            [s.low / 1024 for s in found],
            [s.predicted / 1024 for s in found],
            s=9,
            alpha=0.6,
            linewidths=0,
            color=colour,
            label=f"{TITLES[source]} ({len(found)})",
        )
    ends = 0.01, 300
    axes.plot(ends, ends, color="#555555", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="measured, GiB", ylabel="predicted, GiB")
    axes.legend(fontsize=7, loc="upper left", frameon=False)
    save(figure, path)


def errors(groups: Mapping[str, Sequence[Scored]], path: Path) -> None:
    """Draw the relative errors of every group as boxes from the 5th to the 95th percentile."""
    figure = Figure(figsize=(7, 0.45 * len(groups) + 1.2))
    axes = figure.subplots()
    axes.axvline(0, color="#555555", linewidth=0.8)
    axes.boxplot(
        [[100 * s.error for s in found] for found in groups.values()],
        orientation="horizontal",
        whis=(5, 95),
        showfliers=True,
        flierprops={"markersize": 2, "markeredgecolor": COLOURS[0]},
        medianprops={"color": COLOURS[1]},
        tick_labels=[f"{TITLES.get(name, name)} ({len(found)})" for name, found in groups.items()],
    )
    axes.set(xlabel="error, % (below 0: predicted too little)", xlim=(-30, 30))
    axes.tick_params(labelsize=8)
    axes.invert_yaxis()
    save(figure, path)


def limits(found: Sequence[Bound], limit: float, path: Path) -> None:
    """Draw the peaks predicted for batches that fitted and for those that did not."""
    figure = Figure(figsize=(7, 3))
    axes = figure.subplots()
    bins = [limit * share / 50 for share in range(20, 101)]
    axes.hist([b.fits for b in found], bins, alpha=0.7, color=COLOURS[2], label="batch that ran")
    axes.hist([b.does_not for b in found], bins, alpha=0.7, color=COLOURS[1], label="next batch, which did not")
    axes.axvline(limit, color="#000000", linewidth=0.8, label=f"one limit for all: {limit:,.0f} MiB")
    axes.set(xlabel="predicted allocated peak, MiB", ylabel="bounds")
    axes.legend(fontsize=8, frameon=False)
    save(figure, path)
