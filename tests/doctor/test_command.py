"""The command as a user meets it: without GPU, without PyTorch, without rights, with broken tools."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dnnlint.commands import doctor as command
from dnnlint.doctor.machine import Machine
from dnnlint.doctor.model import Status
from dnnlint.doctor.probes.gather import Plan
from tests.doctor.fakes import GOOD_HOST, H100, answer_of, environment, machine, package, program
from tests.support import ROOT, RunCommand, write

BROKEN = {
    "absent": "",
    "driver mismatch": "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18",
    "garbage": "printf '\\000\\377<html>'",
    "crash": "kill -SEGV $$",
    "hang": "sleep 60",
    "no devices": "echo 'No devices were found'; exit 6",
}


def start(*arguments: str, cwd: Path, user: int | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    variables = {"PYTHONPATH": ROOT, **variables}
    return subprocess.run(
        [sys.executable, "-m", "dnnlint", "doctor", *arguments],
        cwd=cwd,
        env=environment(**variables),
        capture_output=True,
        text=True,
        check=False,
        user=user,
    )


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_nvidia_smi(kind: str, tmp_path: Path) -> None:
    """Every row is answered or "cannot tell", and nothing is printed beside the report."""
    if BROKEN[kind]:
        program(tmp_path / "bin", "nvidia-smi", BROKEN[kind])
    done = start("--json", "--no-torch", cwd=tmp_path, PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin")
    report = json.loads(done.stdout)
    assert done.returncode in (0, 1, 2)
    assert done.stderr == ""
    assert len(report["rows"]) >= 17
    assert {row["status"] for row in report["rows"]} <= {status.value for status in Status}
    assert done.returncode == report["exit_code"]


@pytest.mark.parametrize("kind", ["absent", "hang"])
def test_fast_without_torch(kind: str, tmp_path: Path) -> None:
    """1.5 s, and half a second more for a busy machine that runs tests."""
    if BROKEN[kind]:
        program(tmp_path / "bin", "nvidia-smi", BROKEN[kind])
    seconds = []
    for _ in range(2):
        begin = time.monotonic()
        start("--no-torch", cwd=tmp_path, PATH=f"{tmp_path / 'bin'}:/usr/bin:/bin")
        seconds.append(time.monotonic() - begin)
    assert min(seconds) < 2.0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give its rights up")
def test_without_rights(tmp_path: Path) -> None:
    """A user without home, in a folder that cannot be written."""
    python = Path(sys.executable).resolve()
    if not all(os.stat(folder).st_mode & 0o001 for folder in (*python.parents, Path(ROOT), *Path(ROOT).parents)):
        pytest.skip("another user cannot reach the interpreter or the checkout")
    done = start("--json", "--disk", cwd=Path("/"), user=65534, HOME="/nonexistent", PYTHONDONTWRITEBYTECODE="1")
    assert done.stderr == ""
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["disk speed"]["status"] == "cannot tell"
    assert "Permission denied" in rows["disk speed"]["found"] or "free" in rows["disk speed"]["found"]


def test_torch_that_cannot_be_imported(tmp_path: Path) -> None:
    """Wrong, with the last line of its traceback."""
    files = {
        "__init__.py": "raise ImportError('libcudart.so.13: cannot open shared object file')",
        "version.py": "__version__ = '2.9.0'\ncuda = '13.0'\nhip = None\n",
    }
    package(tmp_path / "lib", "torch", files, "2.9.0")
    done = start("--json", cwd=tmp_path, PYTHONPATH=f"{ROOT}:{tmp_path / 'lib'}")
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert done.returncode == 1
    assert rows["PyTorch"]["status"] == "wrong"
    assert "libcudart.so.13" in rows["PyTorch"]["found"]
    assert rows["PyTorch's CUDA"]["found"] == "13.0"


SCRIPT = """
import argparse
import torch
import numpy_that_is_not_there
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default={workers})
args = parser.parse_args()
loader = DataLoader([], num_workers=args.workers)
model = torch.nn.Linear(1, 1).to("{device}")
with torch.autocast("cuda", dtype=torch.{dtype}):
    model(torch.zeros(1))
{more}
"""


def script(workers: int = 4, device: str = "cuda", dtype: str = "bfloat16", more: str = "") -> str:
    return SCRIPT.format(workers=workers, device=device, dtype=dtype, more=more)


def rows_for(
    text: str, subject: Machine, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> dict[str, tuple[str, str]]:
    def gathered(plan: Plan) -> Machine:
        return subject

    write(project, {"train.py": text})
    monkeypatch.setattr(command, "gather", gathered)
    report = json.loads(dnnlint("doctor", "--json", "--for", "train.py").out)
    return {row["name"]: (row["status"], row["found"]) for row in report["rows"] if row["topic"] == "script"}


class TestScript:
    """What a script needs against what is here."""

    def test_fits(self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """Workers through argparse, precision, device."""
        rows = rows_for(script(), machine(), project, dnnlint, monkeypatch)
        assert rows["workers"] == ("ok", "4 workers, 32 cores")
        assert rows["precision"] == ("ok", "bfloat16 on NVIDIA H100 80GB HBM3")
        assert rows["device"] == ("ok", "cuda, 1 here")
        assert rows["imports"] == ("wrong", "not installed: torch, numpy_that_is_not_there")

    @pytest.mark.parametrize(
        ("text", "subject", "name", "expected"),
        [
            (script(workers=100), machine(), "workers", ("wrong", "100 workers and 32 cores")),
            (script(workers=32), machine(), "workers", ("attention", "32 workers and 32 cores")),
            (script(device="cuda:3"), machine(), "device", ("wrong", "the script names cuda:3, and there are 1 GPUs")),
            (
                script(),
                machine(answer_of()),
                "device",
                ("cannot tell", "the GPU cannot be asked"),
            ),
            (
                script(more="torch.distributed.init_process_group('nccl')"),
                machine(answer_of(H100, H100, H100, H100)),
                "workers",
                ("ok", "4 workers in each of 4 processes, 32 cores"),
            ),
        ],
        ids=["twice too many workers", "too many workers", "no such device", "unknown GPU", "a process for each GPU"],
    )
    def test_does_not_fit(
        self,
        text: str,
        subject: Machine,
        name: str,
        expected: tuple[str, str],
        project: Path,
        dnnlint: RunCommand,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Each need on its own."""
        assert rows_for(text, subject, project, dnnlint, monkeypatch)[name] == expected

    def test_old_gpu(self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """bfloat16 on a T4 is emulated; float16 is not."""
        from tests.doctor.fakes import T4

        slow = rows_for(script(), machine(answer_of(T4)), project, dnnlint, monkeypatch)
        assert slow["precision"][0] == "wrong"
        fast = rows_for(script(dtype="float16"), machine(answer_of(T4)), project, dnnlint, monkeypatch)
        assert fast["precision"] == ("ok", "float16 on Tesla T4")

    def test_shared_memory(self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        """Workers in a container with Docker's default."""
        from dataclasses import replace

        small = machine(host=replace(GOOD_HOST, shm_bytes=64 * 2**20))
        assert rows_for(script(), small, project, dnnlint, monkeypatch)["shared memory"][0] == "wrong"
        assert "shared memory" not in rows_for(script(workers=0), small, project, dnnlint, monkeypatch)

    def test_workers_known_only_at_run_time(
        self, project: Path, dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Unknown is not green."""
        text = "from torch.utils.data import DataLoader\nimport os\nDataLoader([], num_workers=os.cpu_count())\n"
        assert rows_for(text, machine(), project, dnnlint, monkeypatch)["workers"][0] == "cannot tell"
        assert dnnlint("doctor", "--for", "train.py").code in (1, 2)

    @pytest.mark.parametrize(
        ("text", "message"),
        [("def f(:\n", "not Python that can be read"), ("\0", "NUL byte"), (None, "No such file")],
    )
    def test_unreadable(self, text: str | None, message: str, project: Path, dnnlint: RunCommand) -> None:
        """Exit 2 and the reason."""
        if text is not None:
            write(project, {"train.py": text})
        run = dnnlint("doctor", "--for", "train.py")
        assert run.code == 2
        assert message in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--estimate",), "--estimate needs --for"),
        (("--disk", "nowhere"), "no such folder"),
        (("--timeout", "0"), "expected a number of seconds"),
    ],
)
def test_usage(arguments: tuple[str, ...], message: str, dnnlint: RunCommand) -> None:
    """Commands that make no sense are exit 2."""
    run = dnnlint("doctor", *arguments)
    assert run.code == 2
    assert message in run.err


def test_table(dnnlint: RunCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Topic, status, what was found and what to do."""
    monkeypatch.setattr(command, "gather", lambda plan: machine(answer_of(H100, driver="470.82")))
    monkeypatch.setenv("COLUMNS", "160")
    run = dnnlint("doctor")
    assert run.code == 1
    assert "CUDA: driver" in run.out
    assert "Install driver 525.60 or newer" in run.out
    assert "1 wrong" in run.out
