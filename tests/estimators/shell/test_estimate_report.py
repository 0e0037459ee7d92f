"""The result: typed, as JSON, as text, and the verdict."""

from __future__ import annotations

import dataclasses
import io
import json
import os
from pathlib import Path

import pytest
from rich.console import Console

from dnnlint.estimators.batch.largest import HIGHEST_BATCH
from dnnlint.estimators.devices import Context, Gpu, find_gpu
from dnnlint.estimators.options import Setting
from dnnlint.estimators.report import AtPeak, Estimate, TimelinePoint, VerdictStatus, schema, timeline
from dnnlint.estimators.report.text import format_bytes, format_count, render
from dnnlint.estimators.report.uncertainty import WORKSPACE_MULTIPLE, of_allocated, of_reserved
from dnnlint.estimators.report.verdict import decide, doubted, interval_of, no_verdict

GIB, MIB = 2**30, 2**20
GOLDEN = Path(__file__).with_name("report.txt")


def sample() -> Estimate:
    memory = schema.Memory(3 * GIB, 4 * GIB, 5 * GIB)
    gpu = find_gpu("t4")
    return Estimate(
        target="train.py",
        entry="variable model (line 3); ran 4 of 9 statements",
        config={"batch": Setting(32, "train.py:2"), "clip": Setting(None, "default")},
        device=schema.DeviceReport(gpu.name, gpu.memory_bytes, "7.5", 40, 135 * MIB, 135 * MIB, "source", "measured"),
        peak=memory,
        phases={"forward": memory, "backward": memory},
        first_step=schema.Memory(2 * GIB, 3 * GIB, 4 * GIB),
        at_peak=AtPeak(GIB, 0, GIB // 2, GIB // 2, GIB - 512, 100, 0, 0, 412),
        peak_at=schema.PeakPlace("backward", "layer1.0", "aten::mm"),
        modules=(schema.ModuleShare("layer1.0", 2 * GIB, 1_000_000), schema.ModuleShare("", GIB, 0)),
        parameters=25_557_032,
        trainable_parameters=25_000_000,
        flops_per_step=1_560_000_000_000,
        operators=123,
        timeline=tuple(
            TimelinePoint("forward" if i < 20 else "backward", abs(20 - abs(i - 20)) * MIB, 0) for i in range(40)
        ),
        interval=schema.Interval(5 * GIB, 5 * GIB, "basis"),
        verdict=schema.Verdict(VerdictStatus.FITS, True, 0.2, 11 * GIB, "9 GiB stay free"),
        max_batch=77,
        assumptions=("the loss is [guessed]",),
        placeholders=(),
        not_modelled=("workspaces",),
        warnings=("weights were not read",),
        sandbox={"network": "closed"},
        versions={"torch": "2.13.0"},
        seconds={"total": 0.5},
    )


def test_json_round_trip() -> None:
    """What is printed as JSON rebuilds the same estimate."""
    data = json.loads(json.dumps(sample().to_json()))
    assert data["schema_version"] == 1
    assert data["verdict"]["status"] == "fits"
    assert Estimate.from_json(data) == sample()


def test_another_schema_version_is_refused() -> None:
    """An older or newer child process is not misread."""
    with pytest.raises(KeyError, match="schema version 2"):
        Estimate.from_json({**sample().to_json(), "schema_version": 2})


def text_of(estimate: Estimate, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    render(estimate, Console(file=stream, width=90, color_system=None, legacy_windows=False))
    stream.flush()
    return "\n".join(line.rstrip() for line in raw.getvalue().decode(encoding).splitlines()) + "\n"


def test_text_report_is_as_recorded() -> None:
    """Golden output; run with UPDATE_GOLDEN=1 to record a change."""
    text = text_of(sample())
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_text_report_without_unicode() -> None:
    """A terminal that is not UTF-8 gets a chart and bars in ASCII."""
    assert text_of(sample(), "ascii").isascii()


def test_text_report_without_optional_parts() -> None:
    """No FLOPs, timeline, frozen parameters or largest batch: no line about them."""
    bare = dataclasses.replace(
        sample(), flops_per_step=None, timeline=(), trainable_parameters=25_557_032, max_batch=None, assumptions=()
    )
    text = text_of(bare)
    assert not any(part in text for part in ("FLOP", "One step", "frozen", "largest batch", "Assumptions"))


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (512, "512 B"), (2048, "2.00 KiB"), (3 * MIB, "3.00 MiB"), (int(5.5 * GIB), "5.50 GiB")],
)
def test_bytes_are_shown_in_binary_units(size: int, text: str) -> None:
    """As PyTorch prints them."""
    assert format_bytes(size) == text


@pytest.mark.parametrize(("number", "text"), [(12, "12 "), (1500, "1.50 k"), (2.5e15, "2.50 P")])
def test_counts_are_shown_in_short(number: float, text: str) -> None:
    """A space stands before the unit that follows."""
    assert format_count(number) == text


def test_chart_is_as_high_as_the_peak_and_names_the_phases() -> None:
    """The highest column reaches the top line; a phase's name stands under its first column."""
    lines = timeline.draw(sample().timeline, width=40, height=4)
    assert len(lines) == 5
    assert "█" in lines[0]
    assert lines[-1] == "|forward            |backward"
    assert timeline.draw((), 10) == []


def test_chart_of_nothing_allocated() -> None:
    """All zeros draw empty lines instead of dividing by zero."""
    assert timeline.draw((TimelinePoint("forward", 0, 0),), height=2)[:2] == ["", ""]


def gpu_with(memory: int, low: int, high: int) -> Gpu:
    return Gpu("test", (), memory, (8, 0), 100, Context(low, high, "a range"), "here", "2026")


@pytest.mark.parametrize(
    ("reserved", "needs", "status"),
    [
        pytest.param(7 * GIB, 7 * GIB, VerdictStatus.FITS, id="headroom-left"),
        pytest.param(8 * GIB, 7 * GIB, VerdictStatus.FITS, id="headroom-left-after-releasing-cached-blocks"),
        pytest.param(8 * GIB, 8 * GIB, VerdictStatus.FITS_WITHOUT_HEADROOM, id="headroom-used"),
        pytest.param(10 * GIB, 9 * GIB, VerdictStatus.FITS_WITHOUT_HEADROOM, id="after-releasing-cached-blocks"),
        pytest.param(10 * GIB, int(9.2 * GIB), VerdictStatus.CANNOT_TELL, id="depends-on-the-context"),
        pytest.param(10 * GIB, 10 * GIB, VerdictStatus.DOES_NOT_FIT, id="too-large"),
    ],
)
def test_verdict(reserved: int, needs: int, status: VerdictStatus) -> None:
    """A 10 GiB GPU with a context of 0.5 to 1 GiB, 20 % headroom; ``needs`` is the least capacity that runs."""
    gpu = gpu_with(10 * GIB, GIB // 2, GIB)
    verdict = decide(reserved, gpu, 0.2, lambda capacity: capacity >= needs)
    assert verdict.status is status
    assert verdict.reason


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (VerdictStatus.FITS, 0),
        (VerdictStatus.FITS_WITHOUT_HEADROOM, 0),
        (VerdictStatus.DOES_NOT_FIT, 1),
        (VerdictStatus.CANNOT_TELL, 2),
        (VerdictStatus.NOT_ASKED, 0),
    ],
)
def test_exit_codes(status: VerdictStatus, code: int) -> None:
    """Unknown is never green."""
    assert status.exit_code == code


def test_doubt_turns_any_verdict_but_no_question() -> None:
    """Placeholders for sizes make the answer "cannot tell"; without a GPU there is no answer to doubt."""
    fits = decide(GIB, gpu_with(10 * GIB, 0, 0), 0.2, lambda capacity: True)
    assert doubted(fits, "because").status is VerdictStatus.CANNOT_TELL
    assert doubted(fits, "because").fits is None
    assert doubted(no_verdict(0.2), "because").status is VerdictStatus.NOT_ASKED


def test_interval_spans_context_and_reserved_memory() -> None:
    """The bounds of the context come on top of those of reserved memory."""
    interval, span = interval_of(GIB, gpu_with(10 * GIB, 1, 3)), of_reserved(GIB, 0)
    assert (interval.low_bytes, interval.high_bytes) == (span.low_bytes + 1, span.high_bytes + 3)
    assert span.low_bytes < GIB < span.high_bytes
    assert "measured on this GPU" in interval_of(GIB, gpu_with(10 * GIB, 5, 5)).basis


def test_convolutions_widen_the_interval_upwards() -> None:
    """A workspace of cuDNN may come, and takes nothing away."""
    gpu = gpu_with(10 * GIB, 5, 5)
    plain, convolved = interval_of(GIB, gpu), interval_of(GIB, gpu, 10 * MIB)
    assert convolved.low_bytes == plain.low_bytes
    assert convolved.high_bytes == plain.high_bytes + int(WORKSPACE_MULTIPLE * 10 * MIB)
    assert "workspace" in convolved.basis
    assert "workspace" not in plain.basis


def test_verdict_is_of_the_expected_peak() -> None:
    """The margins of the interval do not make a fitting run look too large."""
    assert decide(GIB, gpu_with(GIB + 8 * MIB, 5, 5), 0.0, lambda capacity: True).fits is True


def test_bounds_are_never_below_nothing() -> None:
    """A small peak has a lower bound of 0 bytes."""
    assert of_allocated(MIB).low_bytes == 0


def test_limit_of_the_search_is_a_lower_bound() -> None:
    """A batch at which the search ends is shown as "at least", any other one as it is."""

    def last_line(batch: int) -> str:
        text = io.StringIO()
        render(dataclasses.replace(sample(), max_batch=batch), Console(file=text, width=100))
        return text.getvalue().splitlines()[-1]

    assert last_line(77) == "largest batch with 20% headroom: 77"
    assert last_line(HIGHEST_BATCH) == f"largest batch with 20% headroom: at least {HIGHEST_BATCH}"
