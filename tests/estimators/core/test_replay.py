"""Replaying a trace by hand-written events."""

from __future__ import annotations

from dnnlint.estimators.allocator import Category, Mark, Phase, Trace, replay

MIB = 1 << 20


def _trace() -> Trace:
    """A parameter, then two steps that each hold an activation while a temporary comes and goes."""
    return Trace(
        events=(1, 2, 3, -3, -2, 4, 5, -5, -4),
        sizes=(12 * MIB, 30 * MIB, 100, 30 * MIB, 100),
        categories=(
            Category.PARAMETERS,
            Category.ACTIVATIONS,
            Category.TEMPORARIES,
            Category.ACTIVATIONS,
            Category.TEMPORARIES,
        ),
        operators=("build", "aten::mm", "aten::sum", "aten::mm", "aten::sum"),
        modules=("layer", "layer", "", "layer", ""),
        marks=(
            Mark(0, -1, Phase.BUILD),
            Mark(1, 0, Phase.FORWARD),
            Mark(2, 0, Phase.BACKWARD),
            Mark(5, 1, Phase.FORWARD),
            Mark(6, 1, Phase.BACKWARD),
        ),
        transient=(False,) * 5,
    )


def test_peaks_by_phase_and_what_is_alive() -> None:
    """The composition at the peak sums to it exactly, rounding included."""
    usage = replay(_trace())
    assert usage.steady.peaks.allocated_bytes == 42 * MIB + 512
    assert usage.steady.phases[Phase.FORWARD].allocated_bytes == 42 * MIB
    assert usage.at_peak.total_bytes == usage.steady.peaks.allocated_bytes
    assert (usage.at_peak.parameters, usage.at_peak.temporaries, usage.at_peak.rounding) == (12 * MIB, 100, 412)
    assert (usage.peak_phase, usage.peak_operator) == (Phase.BACKWARD, "aten::sum")
    assert [(holder.module, holder.size_bytes) for holder in usage.holders] == [("layer", 42 * MIB), ("", 512)]
    assert len(usage.steps) == 2


def test_out_of_memory_names_the_place() -> None:
    """A capacity that is too small ends the replay at the first request that does not fit."""
    usage = replay(_trace(), capacity_bytes=20 * MIB)
    failure = usage.out_of_memory
    assert failure is not None
    assert (failure.step, failure.phase, failure.operator) == (0, Phase.FORWARD, "aten::mm")
    assert (failure.requested_bytes, failure.allocated_bytes) == (30 * MIB, 12 * MIB)
