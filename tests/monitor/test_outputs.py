"""Reports, pictures, predictions, TensorBoard, alert rules and the live view."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
import yaml

from dnnlint.monitor.prometheus import ALERTS_FILE, DASHBOARD_FILE
from tests.support import Golden, RunCommand, write

ESTIMATE = {
    "schema_version": 1,
    "target": "train.py",
    "device": {"name": "RTX 3090"},
    "peak": {"allocated_bytes": 1, "reserved_bytes": 2, "device_bytes": 9 * 2**30},
    "interval": {"low_bytes": 8 * 2**30, "high_bytes": 9 * 2**30, "basis": "context"},
}
HOT = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu\n" + "".join(
    f"2026/11/30 08:{second // 60:02}:{second % 60:02}.000, {gpu}, Tesla T4, {40 + 45 * gpu} %, "
    f"{15000 - 9000 * gpu} MiB, 15360 MiB, {96 - 30 * gpu}\n"
    for second in range(120)
    for gpu in (0, 1)
)


@pytest.fixture
def hot(project: Path) -> Path:
    write(project, {"hot.csv": HOT, "estimate.json": json.dumps(ESTIMATE)})
    return project


def test_text(hot: Path, dnnlint: RunCommand, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures, findings with help, notices."""
    monkeypatch.setenv("COLUMNS", "140")
    run = dnnlint("monitor", "hot.csv", "--expect", "estimate.json")
    golden("hot.txt", run.out)
    assert run.code == 1


def test_json(hot: Path, dnnlint: RunCommand) -> None:
    """Keys and types that scripts rely on."""
    report = json.loads(dnnlint("monitor", "--format", "json", "hot.csv").out)
    assert report["schema_version"] == 1
    assert report["log_format"] == "nvidia-smi"
    assert report["summary"]["by_severity"] == {"error": 1, "warning": 2, "advice": 1}
    assert report["findings"][0]["name"] == "overheated-gpu"
    assert {"name", "severity", "gpu", "message", "help", "clause", "figures"} == set(report["findings"][0])


def test_fail_on_error(hot: Path, dnnlint: RunCommand) -> None:
    """Warnings fail unless only errors shall."""
    write(hot, {"cool.csv": HOT.replace(", 96\n", ", 50\n")})
    assert dnnlint("monitor", "cool.csv").code == 1
    assert dnnlint("monitor", "--fail-on", "error", "cool.csv").code == 0
    assert dnnlint("monitor", "--fail-on", "error", "hot.csv").code == 1


def test_advice_does_not_fail(hot: Path, dnnlint: RunCommand) -> None:
    """Unless asked for."""
    write(hot, {"busy.csv": HOT.replace("85 %", "96 %").replace(", 96\n", ", 50\n")})
    assert dnnlint("monitor", "--waste-percent", "0", "--imbalance-percent", "100", "--memory-full-percent", "99",
                   "--training-low-percent", "0", "busy.csv").code == 0  # fmt: skip
    assert dnnlint("monitor", "--fail-on", "advice", "busy.csv").code == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "not an estimate"),
        ('{"schema_version": 2}', "its schema_version is not 1"),
        ('{"schema_version": 1}', "not an estimate"),
        ('{"schema_version": 1, "peak": {"device_bytes": 0}}', "its peak is not above 0"),
    ],
)
def test_bad_prediction(text: str, message: str, hot: Path, dnnlint: RunCommand) -> None:
    """Exit 2 and the reason."""
    write(hot, {"estimate.json": text})
    run = dnnlint("monitor", "hot.csv", "--expect", "estimate.json")
    assert run.code == 2
    assert message in run.err


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plot(ending: str, hot: Path, dnnlint: RunCommand) -> None:
    """A picture in the format of its name."""
    pytest.importorskip("matplotlib")
    dnnlint("monitor", "hot.csv", "--expect", "estimate.json", "--plot", f"out.{ending}")
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (hot / f"out.{ending}").read_bytes().startswith(start)


def test_plot_without_matplotlib(hot: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    run = dnnlint("monitor", "hot.csv", "--plot", "out.png")
    assert run.code == 2
    assert "pip install 'dnnlint[monitor]'" in run.err
    assert "png, svg, pdf" in dnnlint("monitor", "hot.csv", "--plot", "out.txt").err


def test_tensorboard(project: Path, dnnlint: RunCommand) -> None:
    """Scalars as trainers name them, through TensorBoard's own reader; a truncated file is read as far as it goes."""
    pytest.importorskip("tensorboard")
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(project / "runs"))
    for second in range(100):
        values = {
            "gpu_id: 0/utilization.gpu (%)": 40.0,
            "gpu_id: 0/memory.used (MB)": 4096.0,
            "gpu_id: 0/temperature.gpu (°C)": 60.0,
            "loss": 1.0,
        }
        for place, (tag, value) in enumerate(values.items()):  # as SummaryWriter.add_scalar: an event for each value
            summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
            writer.add_event(Event(wall_time=1.8e9 + second + place / 1000, step=second, summary=summary))
    writer.close()
    report = json.loads(dnnlint("monitor", "--format", "json", "runs").out)
    assert report["gpus"][0]["utilisation_mean_percent"] == 40
    assert report["gpus"][0]["memory_peak_bytes"] == 4096 * 2**20
    assert report["gpus"][0]["samples"] == 100
    assert report["findings"][0]["name"] == "low-utilisation"
    assert "tensorflow" not in sys.modules
    file = next((project / "runs").iterdir())
    file.write_bytes(file.read_bytes()[:-1000])
    report = json.loads(dnnlint("monitor", "--format", "json", "runs").out)
    assert 80 <= report["gpus"][0]["samples"] < 100


class TestPrometheus:
    """Alert rules and dashboard with the thresholds of the command line."""

    def write(self, dnnlint: RunCommand, *options: str) -> None:
        assert dnnlint("monitor", "--prometheus", "out", *options).code == 0

    def test_thresholds(self, hot: Path, dnnlint: RunCommand) -> None:
        """Each number is in the expression of its alert."""
        self.write(dnnlint, "--waste-percent", "55", "--temperature-c", "90", "--expect", "estimate.json")
        rules = yaml.safe_load((hot / "out" / ALERTS_FILE).read_text())["groups"][0]["rules"]
        by_name = {rule["alert"]: rule["expr"] for rule in rules}
        assert "< 55" in by_name["GpuLowUtilisation"]
        assert by_name["GpuOverheated"].endswith(">= 90")
        assert by_name["GpuMemoryAbovePrediction"].endswith("> 10138")
        assert all({"summary", "clause"} <= set(rule["annotations"]) for rule in rules)

    def test_promtool(self, hot: Path, dnnlint: RunCommand) -> None:
        """Prometheus accepts the rules, and they fire on series that are wrong and on no other."""
        promtool = shutil.which("promtool")
        if promtool is None:
            pytest.skip("promtool is not installed")
        self.write(dnnlint)
        shutil.copy(Path(__file__).with_name("alerts_test.yml"), hot / "out")
        for command in (("check", "rules", ALERTS_FILE), ("test", "rules", "alerts_test.yml")):
            done = subprocess.run([promtool, *command], cwd=hot / "out", capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr

    def test_dashboard(self, hot: Path, dnnlint: RunCommand) -> None:
        """Panels do not overlap, have ids of their own, and thresholds that rise."""
        self.write(dnnlint)
        board = json.loads((hot / "out" / DASHBOARD_FILE).read_text())
        places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
        assert len(set(places)) == len(places) == len({panel["id"] for panel in board["panels"]})
        for panel in board["panels"]:
            values = [step["value"] for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"]]
            assert values[0] is None
            assert values[1:] == sorted(values[1:])

    def test_unwritable(self, hot: Path, dnnlint: RunCommand) -> None:
        """Exit 2 and the reason."""
        write(hot, {"file": ""})
        assert "cannot be written" in dnnlint("monitor", "--prometheus", "file/out").err


class FakeNvml(types.ModuleType):
    """NVML with two GPUs, of which the second supports nothing."""

    NVML_TEMPERATURE_GPU = 0

    class NVMLError(Exception):
        """What NVML raises."""

    def __init__(self, broken: bool = False) -> None:
        super().__init__("pynvml")
        self.broken = broken

    def nvmlInit(self) -> None:  # the library's names
        if self.broken:
            raise self.NVMLError("Driver/library version mismatch")

    def nvmlShutdown(self) -> None: ...

    def nvmlDeviceGetCount(self) -> int:
        return 2

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:
        return index

    def nvmlDeviceGetName(self, handle: int) -> bytes:
        return b"Tesla T4"

    def __getattr__(self, name: str) -> object:
        def answer(handle: int, *rest: object) -> object:
            if handle == 1:
                raise self.NVMLError("Not Supported")
            answers = {
                "nvmlDeviceGetMemoryInfo": types.SimpleNamespace(used=2**30, total=16 * 2**30),
                "nvmlDeviceGetUtilizationRates": types.SimpleNamespace(gpu=80),
                "nvmlDeviceGetTemperature": 70,
                "nvmlDeviceGetTemperatureThreshold": 90,
                "nvmlDeviceGetPowerUsage": 65_000,
                "nvmlDeviceGetCurrentClocksThrottleReasons": 0x40,
            }
            return answers[name]

        return answer


LIVE = ("monitor", "--live", "--duration", "0.05", "--interval", "0.01", "--format", "json")


def test_live(dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is watched is judged; a GPU that tells nothing is named."""
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml())
    run = dnnlint(*LIVE)
    report = json.loads(run.out)
    assert run.code == 1
    assert report["gpus"][0]["utilisation_mean_percent"] == 80
    assert report["gpus"][0]["memory_peak_bytes"] == 2**30
    assert report["gpus"][0]["power_mean_w"] == 65
    assert [finding["name"] for finding in report["findings"]] == ["thermal-throttling"]
    assert "GPU 1: no utilisation recorded, cannot judge it" in report["notices"]


@pytest.mark.parametrize(
    ("module", "options", "message"),
    [
        (None, (), "pip install 'dnnlint[monitor]'"),
        (FakeNvml(broken=True), (), "NVML cannot be used: Driver/library version mismatch"),
        (FakeNvml(), ("--gpu", "7"), "there is no GPU 7: NVML finds 2"),
    ],
    ids=["not installed", "broken", "no such GPU"],
)
def test_live_failures(
    module: FakeNvml | None,
    options: tuple[str, ...],
    message: str,
    dnnlint: RunCommand,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Exit 2, one line, no traceback."""
    monkeypatch.setitem(sys.modules, "pynvml", module)
    run = dnnlint(*LIVE, *options)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a log, or give --live"),
        (("--live", "log"), "not both"),
        (("--map", "x", "log"), "expected NAME=COLUMN"),
    ],
)
def test_usage(arguments: tuple[str, ...], message: str, dnnlint: RunCommand) -> None:
    """Commands that make no sense are exit 2."""
    run = dnnlint("monitor", *arguments)
    assert run.code == 2
    assert message in run.err
