"""Findings at both sides of each threshold."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from dnnlint.monitor.columns import (
    MEMORY_TOTAL,
    MEMORY_USED,
    TEMPERATURE,
    TEMPERATURE_MARGIN,
    THROTTLED,
    UTILISATION,
    XID,
)
from dnnlint.monitor.expectation import Expectation
from dnnlint.monitor.judge import judge
from dnnlint.monitor.log import Log
from dnnlint.monitor.model import Judgement
from dnnlint.monitor.question import Question
from dnnlint.monitor.thresholds import KEYS, ThresholdError, Thresholds, make_thresholds
from tests.support import RunCommand, write

GIB = 2.0**30
Columns = dict[str, list[float]]


def usage(value: float, count: int = 120) -> Columns:
    return {UTILISATION: [value] * count}


def log_of(*gpus: Columns, times: list[float] | None = None) -> Log:
    log = Log("log", "test")
    for index, columns in enumerate(gpus):
        count = len(next(iter(columns.values())))
        log.series_of(str(index)).extend(times or [float(second) for second in range(count)], columns)
    return log


def names(judgement: Judgement) -> set[str]:
    return {finding.name for finding in judgement.observations}


def judged(*gpus: Columns, question: Question | None = None) -> set[str]:
    return names(judge(log_of(*gpus), question or Question()))


@pytest.mark.parametrize(
    ("mode", "mean", "found"),
    [
        ("training", 0, {"unused-gpu"}),
        ("training", 59.9, {"low-utilisation"}),
        ("training", 60, {"utilisation-below-range"}),
        ("training", 69.9, {"utilisation-below-range"}),
        ("training", 70, set()),
        ("training", 90, set()),
        ("training", 90.1, {"utilisation-above-range"}),
        ("training", 95.1, {"saturated-gpu"}),
        ("inference", 49.9, {"low-utilisation"}),
        ("inference", 50, set()),
        ("inference", 80, set()),
        ("inference", 80.1, {"utilisation-above-range"}),
        ("inference", 96, {"saturated-gpu"}),
    ],
)
def test_utilisation(mode: str, mean: float, found: set[str]) -> None:
    """The ranges of the specification, ends included."""
    assert judged(usage(mean), question=Question(mode=mode)) == found


def test_waiting_before_and_after_a_run_is_no_waste() -> None:
    """The mean is that from the first to the last work."""
    assert judged({UTILISATION: [0.0] * 200 + [85.0] * 100 + [0.0] * 200}) == set()


@pytest.mark.parametrize(
    ("columns", "limit", "found"),
    [
        ({TEMPERATURE: [95.0] * 40}, None, {"overheated-gpu"}),
        ({TEMPERATURE: [94.0] * 40}, None, {"hot-gpu"}),
        ({TEMPERATURE: [83.0] * 40}, None, {"hot-gpu"}),
        ({TEMPERATURE: [82.0] * 40}, None, set()),
        ({TEMPERATURE: [87.0] * 40}, 87.0, {"thermal-throttling"}),
        ({TEMPERATURE: [86.0] * 40}, 87.0, set()),
        ({TEMPERATURE: [86.0] * 40, TEMPERATURE_MARGIN: [4.0] * 40}, None, set()),
        ({TEMPERATURE: [86.0] * 40, TEMPERATURE_MARGIN: [0.0] * 40}, None, {"thermal-throttling"}),
        ({TEMPERATURE: [80.0] * 40, THROTTLED: [0.0] * 39 + [1.0]}, None, {"thermal-throttling"}),
    ],
    ids=lambda value: str(value)[:40],
)
def test_temperature(columns: Columns, limit: float | None, found: set[str]) -> None:
    """95 degrees whatever the GPU, else its own limit, else what most throttle at."""
    assert judged(columns, question=Question(temperature_limit_c=limit)) == found


@pytest.mark.parametrize(
    ("used", "found"), [(8, set()), (7.9, set()), (8.1, {"little-headroom"}), (9.8, {"memory-full"})]
)
def test_capacity(used: float, found: set[str]) -> None:
    """20 % stay free."""
    assert judged({MEMORY_USED: [used * GIB] * 40, MEMORY_TOTAL: [10 * GIB] * 40}) == found


@pytest.mark.parametrize(
    ("peak", "found"),
    [(11.1, {"memory-above-prediction"}), (10.9, set()), (9.1, set()), (8.9, {"memory-below-prediction"})],
)
def test_prediction(peak: float, found: set[str]) -> None:
    """10 % around the bounds of the estimate."""
    question = Question(expectation=Expectation("train.py", 10 * GIB, 10 * GIB, 10 * GIB, ""))
    assert judged({MEMORY_USED: [peak * GIB] * 40}, question=question) == found


def test_errors_of_the_hardware() -> None:
    """An Xid is an error, 0 is none."""
    assert judged({XID: [0.0] * 30 + [79.0] * 10}) == {"xid-error"}
    assert judged({XID: [0.0] * 40}) == set()


def test_idle_periods() -> None:
    """Their number, length and place; shorter ones and the ends of the run do not count."""
    values = [0.0] * 50 + ([85.0] * 100 + [0.0] * 30) * 3 + [85.0] * 100 + [0.0] * 9 + [85.0] * 100 + [0.0] * 50
    judgement = judge(log_of({UTILISATION: values}), Question())
    idle = next(finding for finding in judgement.observations if finding.name == "idle-periods")
    assert idle.figures["periods"] == 3
    assert idle.figures["longest_s"] == 30
    assert idle.figures["idle_s"] == 90


def test_a_gap_in_the_record_is_no_idle_gpu() -> None:
    """It is a notice."""
    times = [float(second) for second in (*range(200), *range(1000, 1200))]
    judgement = judge(log_of(usage(80, 400), times=times), Question())
    assert names(judgement) == set()
    assert any("nothing was recorded for up to 801 s" in notice for notice in judgement.notices)


def test_unequal_gpus() -> None:
    """More than 20 points apart."""
    assert judged(usage(90), usage(70)) == set()
    assert judged(usage(90), usage(69.5)) == {"unequal-gpus", "utilisation-below-range"}


def test_what_is_not_recorded_is_said() -> None:
    """Nothing is judged silently."""
    notices = judge(log_of({MEMORY_USED: [GIB] * 5}), Question()).notices
    assert "GPU 0: no utilisation recorded, cannot judge it" in notices
    assert "GPU 0: no temperature recorded, cannot judge it" in notices
    assert any("too few to look for leaks" in notice for notice in notices)


def ramp(rng: random.Random) -> list[float]:
    return [(10 + index / 400 + rng.gauss(0, 0.1)) * GIB for index in range(2000)]


def plateau(rng: random.Random) -> list[float]:
    return [(10 + min(index, 200) / 100 + rng.gauss(0, 0.1)) * GIB for index in range(2000)]


def step(rng: random.Random) -> list[float]:
    return [(10 + 3 * (index > 1000) + rng.gauss(0, 0.1)) * GIB for index in range(2000)]


@pytest.mark.parametrize(
    ("make", "leaks"), [(ramp, True), (plateau, False), (step, False)], ids=["steady rise", "warm-up", "one step"]
)
def test_leak(make: Callable[[random.Random], list[float]], leaks: bool) -> None:
    """Growth throughout the run, and neither a warm-up nor a step."""
    columns = {MEMORY_USED: make(random.Random(1)), MEMORY_TOTAL: [80 * GIB] * 2000}
    assert ("memory-leak" in judged(columns)) is leaks


def test_sawtooth() -> None:
    """Its period is found to the sample."""
    values = ([95.0] * 14 + [5.0] * 6) * 100
    judgement = judge(log_of({UTILISATION: values}), Question())
    swing = next(finding for finding in judgement.observations if finding.name == "sawtooth-utilisation")
    assert swing.figures["period_s"] == 20
    assert swing.figures["autocorrelation"] > 0.95


def test_sawtooth_of_memory() -> None:
    """Caches that are emptied in the loop; a swing of less than 10 % of the capacity is no news."""
    for swing, found in ((4.0, {"sawtooth-memory"}), (1.5, set())):
        values = [(4 + swing * (second % 30) / 30) * GIB for second in range(900)]
        assert judged({MEMORY_USED: values, MEMORY_TOTAL: [24 * GIB] * 900}) == found


def test_period_with_missing_values() -> None:
    """Every other value is missing; the period is still that of the clock."""
    values = [([95.0] * 14 + [5.0] * 6)[second % 20] if second % 2 == 0 else float("nan") for second in range(2000)]
    judgement = judge(log_of({UTILISATION: values}), Question())
    swing = next(finding for finding in judgement.observations if finding.name == "sawtooth-utilisation")
    assert swing.figures["period_s"] == pytest.approx(20)


class TestThresholds:
    """Flags win over the configuration, and mistakes are named."""

    CSV = "timestamp, index, utilization.gpu [%]\n" + "".join(
        f"2026/11/30 08:{second // 60:02}:{second % 60:02}.000, 0, 65 %\n" for second in range(120)
    )

    def found(self, dnnlint: RunCommand, *options: str) -> list[str]:
        report = json.loads(dnnlint("monitor", "--format", "json", *options, "log.csv").out)
        return [finding["name"] for finding in report["findings"]]

    def test_order(self, project: Path, dnnlint: RunCommand) -> None:
        """Default, file, command line."""
        write(project, {"log.csv": self.CSV})
        assert self.found(dnnlint) == ["utilisation-below-range"]
        write(project, {"pyproject.toml": "[tool.dnnlint.monitor]\nwaste-percent = 66\n"})
        assert self.found(dnnlint) == ["low-utilisation"]
        assert self.found(dnnlint, "--isolated") == ["utilisation-below-range"]
        assert self.found(dnnlint, "--waste-percent", "50", "--training-low-percent", "65") == []

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("waste-percnt = 1", 'unknown key "waste-percnt" (did you mean "waste-percent"?)'),
            ("waste-percent = 101", "waste-percent: expected at most 100, found 101"),
            ('waste-percent = "a"', "waste-percent: expected a number, found a string"),
            ("training-low-percent = 95", "training-low-percent is above training-high-percent"),
            ("leak-p = 0", "leak-p: expected a number between 0 and 1"),
        ],
    )
    def test_mistakes(self, text: str, message: str, project: Path, dnnlint: RunCommand) -> None:
        """In a file that any command reads."""
        write(project, {"log.csv": self.CSV, "a.py": "import torch\n", "dnnlint.toml": f"[monitor]\n{text}\n"})
        for command in (("monitor", "log.csv"), ("check", "a.py")):
            run = dnnlint(*command)
            assert run.code == 2
            assert message in run.err

    def test_every_threshold_has_a_flag(self, dnnlint: RunCommand) -> None:
        """And each is explained."""
        text = dnnlint("monitor", "--help").out
        assert all(f"--{key} " in text for key in KEYS)

    def test_values(self) -> None:
        """Numbers that are none are refused."""
        assert make_thresholds() == Thresholds()
        with pytest.raises(ThresholdError):
            make_thresholds({"idle-s": float("nan")})
