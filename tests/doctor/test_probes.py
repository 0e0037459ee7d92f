"""Probes against broken, slow and lying programs, and what they read from those that work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from dnnlint.doctor.machine import Gpu
from dnnlint.doctor.probes import disk_speed, gpus, host, packages
from dnnlint.doctor.probes.children import Answer, ask_script, parse_answer
from dnnlint.doctor.probes.commands import Outcome, run_limited
from dnnlint.doctor.probes.gather import read_torch
from tests.doctor.fakes import package, program

# As nvidia-smi prints them, with and without the field that drivers before 470 do not know.
QUERY = "0, NVIDIA A100-SXM4-40GB, 40960, 535.104.05, 8.0\n1, NVIDIA A100-SXM4-40GB, 40960, 535.104.05, 8.0\n"
BANNER = "| NVIDIA-SMI 535.104.05    Driver Version: 535.104.05    CUDA Version: 12.2     |"
TOPOLOGY = (
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\x1b[0m\n"
    "GPU0\t X \tNV12\tPXB\t0-31\t0\n"
    "GPU1\tNV12\t X \tSYS\t0-31\t0\n"
    "NIC0\tPXB\tSYS\t X \n\nLegend:\n\n  X    = Self\n"
)


class TestCommands:
    """There is an outcome, whatever the program does."""

    @pytest.mark.parametrize(
        ("script", "problem"),
        [
            ("echo well", ""),
            ("echo 'No devices were found'; exit 6", "fake ended with 6: No devices were found"),
            ("echo 'Failed to initialize NVML' >&2; exit 18", "fake ended with 18: Failed to initialize NVML"),
            ("kill -SEGV $$", "fake was ended by SIGSEGV"),
            ("sleep 60 & sleep 60", "fake gave no answer within 0.3 s"),
            ("exit 3", "fake ended with 3"),
        ],
    )
    def test_outcomes(self, script: str, problem: str, tmp_path: Path) -> None:
        """Success, failure with a reason, crash, hang."""
        start = time.monotonic()
        outcome = run_limited([str(program(tmp_path, "fake", script))], 0.3 if "sleep" in script else 10)
        assert outcome.problem == problem
        assert time.monotonic() - start < 5

    def test_not_a_program(self, tmp_path: Path) -> None:
        """A missing one, one that may not be run, a text that is no program, a folder."""
        (tmp_path / "text").write_text("hello")
        (tmp_path / "binary").write_bytes(b"\x7fELF nonsense")
        (tmp_path / "binary").chmod(0o755)
        for name in ("missing", "text", "binary", "."):
            assert "cannot be started" in run_limited([str(tmp_path / name)], 5).problem


class TestGpus:
    """NVML first, then nvidia-smi, then the kernel."""

    def test_query(self) -> None:
        """Two GPUs and the driver; warnings around them are left out."""
        found, driver = gpus.parse_query("WARNING: infoROM is corrupted\n" + QUERY)
        assert found[1] == Gpu(1, "NVIDIA A100-SXM4-40GB", 40960 * 2**20, (8, 0))
        assert driver == "535.104.05"

    @pytest.mark.parametrize(
        "text",
        ["", "garbage", "0, GPU", "0, Tesla, [N/A], [Unknown Error], [N/A]", "\0\xff", "a, b, c, d, e"],
        ids=repr,
    )
    def test_garbage(self, text: str) -> None:
        """Nothing is made up."""
        found, driver = gpus.parse_query(text)
        assert driver == ""
        assert all(gpu.memory_bytes is None and gpu.capability is None for gpu in found)
        assert gpus.parse_topology(text) == {}

    def test_topology(self) -> None:
        """Pairs of GPUs, without network cards, with and without colours."""
        assert gpus.parse_topology(TOPOLOGY) == {(0, 1): "NV12"}

    def test_nvidia_smi_alone(self) -> None:
        """Without the bindings of NVML."""
        missing = Answer({}, "python ended with 1: ModuleNotFoundError: No module named 'pynvml'")
        answer = gpus.combine(missing, Outcome(QUERY), Outcome(BANNER), Outcome(TOPOLOGY), has_device=True)
        assert (answer.source, len(answer.gpus), answer.cuda) == ("nvidia-smi", 2, "12.2")

    def test_both_broken(self) -> None:
        """Both reasons are told."""
        nvml = Answer({}, "python ended with 1: pynvml.NVMLError_DriverNotLoaded: Driver Not Loaded")
        answer = gpus.combine(nvml, Outcome("", "nvidia-smi ended with 9"), Outcome(), Outcome(), has_device=True)
        assert answer.problem == "nvidia-smi ended with 9; NVML: NVMLError_DriverNotLoaded: Driver Not Loaded"
        assert answer.gpus == ()

    def test_old_driver(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """It refuses compute_cap, and is asked again without."""
        script = (
            'case "$*" in *compute_cap*) echo \'Field "compute_cap" is not a valid field to query.\'; exit 2;; '
            "*--query*) echo '0, Tesla P100-PCIE-16GB, 16280, 450.80.02';; *topo*) exit 1;; "
            "*) echo 'CUDA Version: 11.0';; esac"
        )
        program(tmp_path, "nvidia-smi", script)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        monkeypatch.setattr(gpus, "ask_script", lambda *arguments: Answer({}, "No module named 'pynvml'"))
        answer = gpus.find_gpus(5)
        assert answer.gpus == (Gpu(0, "Tesla P100-PCIE-16GB", 16280 * 2**20, None),)
        assert (answer.driver, answer.cuda) == ("450.80.02", "11.0")

    @pytest.mark.parametrize(
        ("module", "problem"),
        [
            ("def nvmlInit(): raise OSError('libnvidia-ml.so.1: file too short')", "file too short"),
            ("import os\ndef nvmlInit(): os.abort()", "SIGABRT"),
            ("import time\ndef nvmlInit(): time.sleep(60)", "no answer within"),
            (
                "def nvmlInit(): print('{')\ndef nvmlDeviceGetCount(): raise SystemExit(0)",
                "no answer in what it printed",
            ),
        ],
        ids=["corrupt", "crash", "hang", "silent"],
    )
    def test_broken_nvml(self, module: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A library that fails, crashes, hangs or lies ends its own process and no other."""
        (tmp_path / "pynvml.py").write_text(module)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        answer = ask_script(sys.executable, "nvml_child.py", 2)
        assert answer.values == {}
        assert problem in answer.problem

    def test_nvml(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What a working library says, with a GPU that does not support everything."""
        (tmp_path / "pynvml.py").write_text(FAKE_NVML)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        # Files of the user's that are named like modules of the interpreter are not imported.
        (tmp_path / "here").mkdir()
        (tmp_path / "here" / "json.py").write_text("raise SystemExit(7)")
        monkeypatch.chdir(tmp_path / "here")
        answer = ask_script(sys.executable, "nvml_child.py", 10)
        assert answer.values["driver"] == "570.86"
        assert answer.values["cuda"] == "12.8"
        assert gpus.read_nvml(answer.values) == (Gpu(0, "NVIDIA H100", 85 * 10**9, (9, 0), None),)


FAKE_NVML = """
from types import SimpleNamespace
def nvmlInit(): pass
def nvmlDeviceGetCount(): return 1
def nvmlDeviceGetHandleByIndex(index): return index
def nvmlDeviceGetName(handle): return b"NVIDIA H100"
def nvmlDeviceGetMemoryInfo(handle): return SimpleNamespace(total=85 * 10**9)
def nvmlDeviceGetCudaComputeCapability(handle): return (9, 0)
def nvmlSystemGetDriverVersion(): return "570.86"
def nvmlSystemGetCudaDriverVersion_v2(): return 12080
def nvmlDeviceGetNvLinkState(handle, link): raise ValueError("Not Supported")
"""


class TestPackages:
    """Metadata, without an import."""

    def test_torch_is_not_imported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its version file is read; its __init__ would end the interpreter."""
        version = "__version__ = '2.9.0+cu128'\ncuda: str = '12.8'\nhip: str = None\n"
        package(tmp_path, "torch", {"__init__.py": "raise SystemExit('imported')", "version.py": version}, "2.9.0")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        build = packages.find_torch(packages.find_python(sys.executable, 10))
        assert (build.version, build.cuda, build.hip, build.problem) == ("2.9.0+cu128", "12.8", "", "")

    @pytest.mark.parametrize(
        ("files", "problem"),
        [
            ({"__init__.py": ""}, "version.py cannot be read"),
            ({"__init__.py": "", "version.py": "__version__ = ("}, "version.py cannot be read"),
            pytest.param(
                {},
                "its metadata is there and its files are not",
                marks=pytest.mark.skipif(find_spec("torch") is not None, reason="the files of PyTorch are there"),
            ),
        ],
        ids=["no version file", "broken version file", "no files"],
    )
    def test_damaged_torch(
        self, files: dict[str, str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The version of the metadata, and what is wrong."""
        package(tmp_path, "torch", files, "2.9.0")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        build = packages.find_torch(packages.find_python(sys.executable, 10))
        assert build.version == "2.9.0"
        assert problem in build.problem

    def test_duplicates_and_broken_metadata(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two versions are told; metadata that is cut off is passed over."""
        package(tmp_path / "a", "demo", {}, "1.0", ("torch==1",))
        package(tmp_path / "b", "demo", {}, "2.0")
        broken = tmp_path / "a" / "broken-1.0.dist-info"
        broken.mkdir()
        (broken / "METADATA").write_bytes(b"\xff\xfe\0")
        monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'a'}:{tmp_path / 'b'}")
        found = packages.find_python(sys.executable, 10)
        assert found.duplicates["demo"] == ("1.0", "2.0")
        assert found.packages["demo"] == "1.0"
        assert found.requirements["demo"] == ("torch==1",)

    @pytest.mark.parametrize("script", ["exit 1", "echo hello", "sleep 60"])
    def test_broken_interpreter(self, script: str, tmp_path: Path) -> None:
        """A problem instead of packages."""
        assert packages.find_python(str(program(tmp_path, "python", script)), 0.5).problem

    def test_active_environment(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its interpreter is asked, and not the one that runs the tool."""
        python = program(tmp_path / "bin", "python", "")
        monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
        assert packages.default_python() == str(python)


@pytest.mark.parametrize(
    ("out", "problem", "expected"),
    [
        ('noise\n{"cuda_available": true, "device_count": 2}\n', "", 2),
        ("noise", "", 0),
        ("", "python ended with 1: ImportError: libcudart.so.13", 0),
        ("[1]", "", 0),
    ],
)
def test_torch_answer(out: str, problem: str, expected: int) -> None:
    """The last line that is an object counts; a failure keeps its reason."""
    answer = read_torch(parse_answer(out, problem))
    assert answer.device_count == expected
    assert bool(answer.problem) is (expected == 0)


class TestDisk:
    """The speed test measures the disk and leaves nothing."""

    def test_measurement(self, tmp_path: Path) -> None:
        """Both directions, the method told, the file removed."""
        speed = disk_speed.measure_disk(str(tmp_path), 8 * 2**20)
        assert speed.problem == ""
        assert speed.write_bytes_per_s is not None
        assert speed.write_bytes_per_s > 0
        assert "8 MiB in blocks of 4 MiB" in speed.method
        assert list(tmp_path.iterdir()) == []

    def test_without_direct_access(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A cache that may have helped is told; one that cannot be dropped leaves the reading unmeasured."""
        monkeypatch.setattr(disk_speed, "_DIRECT", 0)
        assert "which may not have helped" in disk_speed.measure_disk(str(tmp_path), 8 * 2**20).method
        monkeypatch.delattr(os, "posix_fadvise", raising=False)
        speed = disk_speed.measure_disk(str(tmp_path), 8 * 2**20)
        assert speed.read_bytes_per_s is None
        assert "the page cache cannot be avoided" in speed.method

    def test_refusals(self, tmp_path: Path) -> None:
        """No room, no folder; nothing is left behind."""
        assert "are free" in disk_speed.measure_disk(str(tmp_path), 2**60).problem
        assert disk_speed.measure_disk(str(tmp_path / "nowhere")).problem == "No such file or directory"
        assert list(tmp_path.iterdir()) == []

    def test_full_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The file is removed when writing fails, too."""

        def fail(*arguments: object) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", fail)
        assert disk_speed.measure_disk(str(tmp_path), 2**20).problem == "No space left on device"
        assert list(tmp_path.iterdir()) == []


class TestHost:
    """Limits of containers and jobs."""

    @pytest.mark.parametrize(
        ("files", "cores", "ram"),
        [
            ({}, None, None),
            ({"/sys/fs/cgroup/cpu.max": "max 100000\n", "/sys/fs/cgroup/memory.max": "max\n"}, None, None),
            ({"/sys/fs/cgroup/cpu.max": "150000 100000\n"}, 1.5, None),
            ({"/sys/fs/cgroup/memory.max": "8589934592\n"}, None, 2**33),
            (
                {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000"},
                None,
                None,
            ),
            ({"/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, None, None),
            ({"/sys/fs/cgroup/cpu.max": "nonsense"}, None, None),
        ],
        ids=["none", "no limit", "cpu", "memory", "no limit, version 1", "no memory limit, version 1", "nonsense"],
    )
    def test_limits(
        self, files: dict[str, str], cores: float | None, ram: int | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of both versions of control groups."""
        monkeypatch.setattr(host, "_read", lambda path: files.get(path, ""))
        assert host._cgroup_cores() == cores
        assert host._cgroup_memory() == ram

    def test_this_machine(self, tmp_path: Path) -> None:
        """Agrees with what the system's tools say."""
        found = host.find_host(str(tmp_path))
        assert found.cores is not None
        assert 1 <= found.cores <= (os.cpu_count() or 1)
        if shutil.which("nproc"):
            allowed = int(subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout)
            assert found.cores <= allowed
        assert found.disks[0].purpose == "working folder"
