"""Every shape of a log gives the same figures."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.monitor.shapes import SHAPES, Shape
from tests.support import RunCommand

MIB = 2**20


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.id)
def test_shape(shape: Shape, project: Path, dnnlint: RunCommand) -> None:
    """Figures of each GPU, length, findings and notices are those that the log was made with."""
    (project / shape.name).write_bytes(shape.data)
    run = dnnlint("monitor", "--format", "json", *shape.options, shape.name)
    report = json.loads(run.out)
    gpus = {gpu["gpu"]: gpu for gpu in report["gpus"]}
    assert run.code == 0, report["findings"]
    assert {name: gpu["utilisation_mean_percent"] for name, gpu in gpus.items()} == pytest.approx(shape.means, abs=0.01)
    assert {name: gpu["memory_peak_bytes"] / MIB for name, gpu in gpus.items()} == pytest.approx(shape.peaks_mib)
    first = next(iter(gpus.values()))
    assert first["samples"] == shape.samples
    assert first["duration_s"] == pytest.approx(shape.duration_s)
    assert first["temperature_max_c"] == shape.hottest_c
    assert first["memory_total_bytes"] == (shape.capacity_mib and shape.capacity_mib * MIB)
    assert {finding["name"] for finding in report["findings"]} == shape.findings
    for text in shape.notices:
        assert any(text in notice for notice in report["notices"]), report["notices"]


def test_shapes_without_notice(project: Path, dnnlint: RunCommand) -> None:
    """A complete log gives none."""
    (project / "log").write_bytes(SHAPES[0].data)
    assert json.loads(dnnlint("monitor", "--format", "json", "log").out)["notices"] == []


def test_gzip_and_several_files(project: Path, dnnlint: RunCommand) -> None:
    """Rotated logs are one log, whatever their order."""
    heading, *lines = SHAPES[0].data.decode().splitlines()
    (project / "new.csv").write_text("\n".join([heading, *lines[60:]]))
    (project / "old.csv.gz").write_bytes(gzip.compress("\n".join([heading, *lines[:60]]).encode()))
    report = json.loads(dnnlint("monitor", "--format", "json", "new.csv", "old.csv.gz").out)
    assert report["gpus"][0]["samples"] == 120
    assert report["gpus"][0]["duration_s"] == 119
    assert any("sorted" in notice for notice in report["notices"])


def test_midnight(project: Path, dnnlint: RunCommand) -> None:
    """dmon can write times without dates, which start again."""
    clocks = [f"23:59:{second:02}" for second in range(60)] + [f"00:00:{second:02}" for second in range(60)]
    rows = "".join(f" {clock}      0     80  10000\n" for clock in clocks)
    (project / "log").write_text(f"#Time        gpu     sm     fb\n#HH:MM:SS    Idx      %     MB\n{rows}")
    report = json.loads(dnnlint("monitor", "--format", "json", "log").out)
    assert report["gpus"][0]["duration_s"] == 119


def test_profiling_metric_alone(project: Path, dnnlint: RunCommand) -> None:
    """The activity of the engine counts as utilisation where nothing else gives it."""
    series = {"metric": {"__name__": "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gpu": "0"}, "values": [[0, "0.8"], [15, "0.9"]]}
    (project / "log").write_text(json.dumps({"status": "success", "data": {"result": [series]}}))
    report = json.loads(dnnlint("monitor", "--format", "json", "log").out)
    assert report["gpus"][0]["utilisation_mean_percent"] == pytest.approx(85)


def test_a_file_for_each_metric(project: Path, dnnlint: RunCommand) -> None:
    """Answers about one metric each, of two GPUs that are scraped at their own times, are one log."""
    for metric, value in {"GPU_UTIL": "80", "FB_USED": "9000", "FB_FREE": "6360"}.items():
        result = [
            {
                "metric": {"__name__": f"DCGM_FI_DEV_{metric}", "gpu": gpu},
                "values": [[15 * scrape + offset, value] for scrape in range(60)],
            }
            for gpu, offset in (("0", 0.0), ("1", 0.3))
        ]
        (project / f"{metric}.json").write_text(json.dumps({"data": {"result": result}}))
    names = sorted(path.name for path in project.iterdir())
    report = json.loads(dnnlint("monitor", "--format", "json", *names).out)
    assert [gpu["samples"] for gpu in report["gpus"]] == [60, 60]
    assert report["gpus"][1]["memory_total_bytes"] == 15360 * MIB
    assert report["notices"] == [f"GPU {gpu}: no temperature recorded, cannot judge it" for gpu in (0, 1)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_logs(data: st.DataObject, project: Path, dnnlint: RunCommand) -> None:
    """Whatever happens to a log, there is a report or one line of error."""
    original = data.draw(st.sampled_from(SHAPES))
    text = bytearray(original.data)
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 200))
        text[start : start + length] = data.draw(st.binary(max_size=20))
    (project / original.name).write_bytes(text)
    run = dnnlint("monitor", *original.options, original.name)
    assert run.code in (0, 1, 2)
    assert "Traceback" not in run.err
    assert (run.code == 2) == run.err.startswith("dnnlint: error: ")


def test_own_names(project: Path, dnnlint: RunCommand) -> None:
    """--map says what columns with other names hold."""
    rows = "\n".join(f"2026-11-30T08:00:{second:02},80,2" for second in range(60))
    (project / "log.csv").write_text(f"timestamp,load,mem\n{rows}\n")
    names = ("--map", "load=utilization.gpu", "--map", "mem=memory.used [GiB]")
    report = json.loads(
        dnnlint("monitor", "--format", "json", *names, "--columns", "timestamp,load,mem", "log.csv").out
    )
    assert report["gpus"][0]["utilisation_mean_percent"] == 80
    assert report["gpus"][0]["memory_peak_bytes"] == 2 * 2**30


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "neither a CSV of nvidia-smi"),
        ("hello\nworld\n", "neither a CSV of nvidia-smi"),
        ("timestamp, index\n2026/11/30 08:00:00, 0\n", "no column with utilisation"),
        ("timestamp, utilization.gpu [%]\n", "no sample of a GPU"),
        ('{"status": "error", "error": "bad"}', "no series named"),
        ('{"status": ', "not valid JSON"),
        ("# HELP up x\nup 1\n", "no known metric"),
        ("2026/11/30 08:00:00.1, 80 %, 100 MiB\n", "needs --columns"),
        ("\0\1\2\3" * 50, "neither a CSV"),
    ],
    ids=lambda value: repr(value)[:24],
)
def test_unusable(text: str, message: str, project: Path, dnnlint: RunCommand) -> None:
    """A log of which nothing can be said is exit 2 with one line."""
    (project / "log").write_text(text)
    run = dnnlint("monitor", "log")
    assert run.code == 2
    assert message in run.err
    assert len(run.err.splitlines()) == 1


def test_missing_file(dnnlint: RunCommand) -> None:
    """Exit 2 and the reason."""
    run = dnnlint("monitor", "nowhere.csv")
    assert (run.code, run.err) == (2, "dnnlint: error: nowhere.csv: cannot be read: No such file or directory\n")
