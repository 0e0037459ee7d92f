"""The calling side: start the child, relay its progress, end it in time, and read its one answer."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import dnnlint
from dnnlint.estimators.errors import EstimateError

Json = Mapping[str, object]
"""A decoded JSON object."""

_BOOT = (
    "import sys; sys.path[0:1] = []; sys.path.append(sys.argv[1]); "
    "from dnnlint.estimators.sandbox.child import main; main()"
)
_POSIX = os.name == "posix"
_MAX_LINE_BYTES = 64 << 20
_STDERR_TAIL_BYTES = 4000


class SandboxError(EstimateError):
    """The child ended without an answer: crash, hang, abort or an exit of its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the child may use."""

    timeout_s: float = 300.0
    memory_bytes: int = 16 << 30


def run_sandboxed(
    work: str, request: Json, limits: Limits = Limits(), on_progress: Callable[[str], None] | None = None
) -> Json:
    """Call ``module:function`` with ``request`` in a child process and return the JSON object it answers.

    Raises SandboxError when there is no answer, EstimateError when the child reports one.
    """
    with _scratch_folder() as scratch, _child(scratch) as process:
        order = {"work": work, "request": request, "memory_bytes": limits.memory_bytes, "scratch": str(scratch)}
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.close()
        return _answer(process, process.stdout, limits, on_progress or (lambda stage: None), scratch)


@contextlib.contextmanager
def _scratch_folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="dnnlint-estimate-")).resolve()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _child(scratch: Path) -> Iterator[subprocess.Popen[bytes]]:
    root = str(Path(dnnlint.__file__).resolve().parent.parent)
    # Not a pipe: whatever the target starts and leaves behind may keep this open for ever.
    with (scratch / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=_environment(scratch),
            start_new_session=_POSIX,
        )
        try:
            yield process
        finally:
            _end(process)


def _environment(scratch: Path) -> dict[str, str]:
    """Keep caches out of the user's folders, weights off the network and threads few."""
    quiet = {"TMPDIR": str(scratch), "MPLCONFIGDIR": str(scratch), "TRITON_CACHE_DIR": str(scratch)}
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "WANDB_MODE": "disabled"}
    single = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    # Message texts are matched below, and no byte code is left in the user's project.
    python = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": ""}
    return {**os.environ, **quiet, **offline, **single, **python}


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the child and everything it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if _POSIX:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _answer(
    process: subprocess.Popen[bytes],
    stream: IO[bytes],
    limits: Limits,
    on_progress: Callable[[str], None],
    scratch: Path,
) -> Json:
    deadline = time.monotonic() + limits.timeout_s
    stage = "starting"
    for event in _events(stream, deadline):
        kind = event.get("event")
        if kind == "result":
            result = event["result"]
            assert isinstance(result, dict)
            return result
        if kind == "error":
            raise EstimateError(str(event["message"]), str(event["help"]))
        stage = str(event.get("stage", stage))
        on_progress(stage)
    if time.monotonic() >= deadline:
        raise SandboxError(
            f"No estimate within {limits.timeout_s:g} s; the last stage was: {stage}.",
            "Give more time with --timeout, or name a smaller part of the file with --entry.",
        )
    raise _death(process, stage, scratch)


def _events(stream: IO[bytes], deadline: float) -> Iterator[Json]:
    """Yield the child's messages until it closes the stream or the time is up."""
    lines: queue.Queue[bytes] = queue.Queue()

    def pump() -> None:
        with contextlib.suppress(ValueError, OSError):
            while line := stream.readline(_MAX_LINE_BYTES):
                lines.put(line)
        lines.put(b"")

    threading.Thread(target=pump, daemon=True).start()
    while (left := deadline - time.monotonic()) > 0:
        try:
            line = lines.get(timeout=left)
        except queue.Empty:
            return
        if not line:
            return
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict):
                yield event


def _death(process: subprocess.Popen[bytes], stage: str, scratch: Path) -> SandboxError:
    try:
        status = process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return SandboxError(
            f"The child process closed its channel while {stage}.", "Look for code that closes file descriptors."
        )
    tail = (scratch / "stderr").read_bytes()[-_STDERR_TAIL_BYTES:].decode(errors="replace").strip()
    last = f" Its last line was: {tail.splitlines()[-1][:300]}" if tail else ""
    if status < 0:
        name = signal.Signals(-status).name
        return SandboxError(f"The child process crashed with {name} while {stage}.{last}", _crash_help(-status))
    return SandboxError(
        f"The target ended the process with exit status {status} while {stage}.{last}",
        "Move the exit out of the statements that build the model, or name another entry with --entry.",
    )


def _crash_help(number: int) -> str:
    if _POSIX and number == signal.SIGKILL:
        return "Another process ended it, most likely for lack of memory; free some, or lower --memory-limit."
    return "Native code failed; name the model alone with --entry, and report it when the model itself does this."
