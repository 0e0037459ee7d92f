"""The child process: what the target cannot do, and what is said when it tries."""

from __future__ import annotations

import os
import socket
import sys
import time
from pathlib import Path

import pytest

from dnnlint.estimators.errors import EstimateError
from dnnlint.estimators.sandbox import Limits, SandboxError, doors, run_sandboxed
from dnnlint.estimators.sandbox.child import explain

JOBS = "tests.estimators.shell.jobs"
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="namespaces, Landlock and limits on data are Linux's")


def run(job: str, timeout_s: float = 20, **request: object) -> dict[str, object]:
    return dict(run_sandboxed(f"{JOBS}:{job}", request, Limits(timeout_s)))


def test_answer_and_progress_come_back_and_prints_do_not_disturb() -> None:
    """The result is JSON; what the target prints goes elsewhere."""
    stages: list[str] = []
    result = run_sandboxed(f"{JOBS}:echo", {"text": "hallo"}, Limits(20), stages.append)
    assert result["echo"] == "hallo"
    assert stages == ["importing the libraries", "echoing"]
    assert set(result["sandbox"]) == {"network", "files", "memory"}  # type: ignore[call-overload]


def test_hang_ends_in_time_with_all_it_started() -> None:
    """The message names the last stage; the grandchild is gone, too."""
    start = time.monotonic()
    with pytest.raises(SandboxError, match="No estimate within 2 s; the last stage was: pid") as caught:
        run("hang", timeout_s=2)
    assert time.monotonic() - start < 10
    pid = int(caught.value.message.rpartition("pid ")[2].rstrip("."))
    # The signal is sent when the message is there; a busy machine takes a moment to act on it.
    deadline = time.monotonic() + 10
    while _is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("job", "message"),
    [
        pytest.param("vanish", "exit status 7", id="os._exit"),
        pytest.param("leave", r"exit\('bye'\)", id="sys.exit"),
        pytest.param("abort", "SIGABRT", id="abort"),
        pytest.param("close_the_channel", "closed its channel", id="closed-channel"),
    ],
)
def test_sudden_end_is_one_clear_error(job: str, message: str) -> None:
    """Whatever ends the child, there is a message and something to do."""
    with pytest.raises(EstimateError, match=message) as caught:
        run(job)
    assert caught.value.help


@linux_only
def test_memory_is_limited() -> None:
    """200 GB are refused without being touched, and the user's line is named."""
    with pytest.raises(EstimateError, match=r"more host memory.*jobs\.py"):
        run("hoard")


@linux_only
def test_network_is_closed_for_the_child_and_its_children() -> None:
    """A listening socket of this very machine cannot be reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        result = run("connect", port=server.getsockname()[1])
    sandbox = result["sandbox"]
    assert isinstance(sandbox, dict)
    if "namespace" not in sandbox["network"]:
        pytest.skip("this system allows no network namespace")
    assert result["connected"] == ""


def test_writes_land_in_the_scratch_folder(tmp_path: Path) -> None:
    """The target reads back what it wrote, and the real file keeps its content; new folders do not appear."""
    kept = tmp_path / "kept.txt"
    kept.write_text("original")
    assert run("write", path=str(kept))["read back"] == "changed twice"
    assert run("write", path=str(tmp_path / "new" / "file.txt"))["read back"] == "changed twice"
    assert kept.read_text() == "original"
    assert not (tmp_path / "new").exists()


@linux_only
def test_files_survive_removal_and_writes_of_programs(tmp_path: Path) -> None:
    """What Python does not see is forbidden by the system, where it can."""
    kept = tmp_path / "kept.txt"
    kept.write_text("original")
    with pytest.raises(EstimateError, match=r"changes '.*kept\.txt'"):
        run("remove", path=str(kept))
    result = run("write_in_a_child", path=str(kept))
    sandbox = result["sandbox"]
    assert isinstance(sandbox, dict)
    if "Landlock" in sandbox["files"]:
        assert kept.read_text() == "original"


def test_removal_is_refused_without_landlock(tmp_path: Path) -> None:
    """Where the kernel has no Landlock, Python's audit events stand in."""
    kept = tmp_path / "kept.txt"
    kept.write_text("original")
    result = run("without_landlock", path=str(kept))
    assert result["refused"] == ["remove", "open"]
    assert kept.read_text() == "original"


def test_connections_are_refused_without_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fallback patches sockets, and says what it does not cover."""
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, getattr(socket.socket, name))
    monkeypatch.setattr(doors, "_own_network_namespace", lambda: False)
    assert "not covered" in doors._close_network()
    with pytest.raises(OSError, match="without a network"):
        socket.create_connection(("127.0.0.1", 9))


@pytest.mark.parametrize(
    ("error", "message"),
    [
        pytest.param(EstimateError("as it is", "do this"), "as it is", id="own"),
        pytest.param(
            RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"), "host memory", id="torch-memory"
        ),
        pytest.param(PermissionError(13, "no", "/x"), "changes '/x'", id="permission"),
        pytest.param(ValueError("first\nsecond"), "ValueError: first", id="first-line"),
        pytest.param(KeyError(), "KeyError", id="empty"),
    ],
)
def test_errors_are_explained(error: BaseException, message: str) -> None:
    """One line for the user, whatever was raised."""
    assert message in explain(error)[0]
    assert explain(error)[1]


def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The scratch folder goes with the child."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    run("echo", text="x")
    assert os.listdir(tmp_path) == []
