"""The published accuracy: recorded estimates keep their bounds, and the page says what they show."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import pytest

from benchmarks.accuracy import intervals, missing, report, scores
from benchmarks.accuracy.scores import Scored


def _of(source: str, tier: str = "A") -> list[Scored]:
    return [s for s in scores.exact() if s.source == source and s.tier <= tier]


def _share(found: list[Scored], holds: Callable[[Scored], bool]) -> float:
    assert found
    return sum(map(holds, found)) / len(found)


def test_peft_rows_are_within_half_a_percent() -> None:
    """Memory after a step: parameters, gradients, states and what the step returned."""
    assert _share(_of("peft"), lambda s: abs(s.error) <= 0.005) >= 0.95


def test_liger_rows_are_within_a_mebibyte() -> None:
    """Operators of plain PyTorch, workspaces included."""
    assert _share(_of("liger"), lambda s: abs(s.error) * s.low <= 1) >= 0.9


@pytest.mark.parametrize("source", ["hf_tables", "litgpt"])
def test_whole_models_are_within_two_and_six_percent(source: str) -> None:
    """Median and 95th percentile of the rows whose configuration is published in full."""
    errors = [abs(s.error) for s in _of(source)]
    assert median(errors) <= 0.02
    assert report.percentile(errors, 0.95) <= 0.06


def test_nvidia_smi_rows_are_within_six_percent() -> None:
    """Median error after one constant for all rows."""
    assert median(abs(s.error) for s in scores.smi()) <= 0.06


def test_dispatcher_rows_are_equal_to_the_byte() -> None:
    """Peaks of PyTorch's own dispatcher and allocator."""
    assert _share(list(scores.measured("oracle")), lambda s: s.low == s.predicted) >= 0.9


def test_bounds_agree_with_one_limit() -> None:
    """Batches that fitted, and the next ones that did not."""
    found = scores.bounds()
    limit = scores.best_limit(found, report.SHARE)
    assert sum(b.consistent(limit, report.SHARE) for b in found) / len(found) >= 0.97


def test_every_row_has_an_estimate_or_a_reason() -> None:
    """No row is dropped silently."""
    assert not [reason for (_, reason) in missing.exact() if reason == "not tried"]


def test_halves_share_no_model() -> None:
    """The half that constants were chosen on tells nothing about the models of the other."""
    first, second = intervals.halves(scores.smi())
    assert not {s.id.partition("@")[0] for s in first} & {s.id.partition("@")[0] for s in second}


def test_page_is_made_from_the_results() -> None:
    """Run ``python -m benchmarks.accuracy.report`` when this fails."""
    assert report.PAGE.read_text(encoding="utf-8") == report.page()
