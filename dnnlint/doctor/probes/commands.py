"""Run a program with a time limit; whatever it does, there is an outcome and no exception."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Outcome(NamedTuple):
    """What a program printed; ``problem`` says in a few words why that cannot be used."""

    out: str = ""
    problem: str = ""


def run_limited(command: Sequence[str], timeout_s: float, env: Mapping[str, str] | None = None) -> Outcome:
    """Run a program, end it with all its children when the time is over."""
    name = os.path.basename(command[0])
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C", **(env or {})},
            start_new_session=True,
        )
    except OSError as error:
        return Outcome(problem=f"{name} cannot be started: {error.strerror or error}")
    except ValueError as error:
        return Outcome(problem=f"{name} cannot be started: {error}")
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        _end(process)
        return Outcome(problem=f"{name} gave no answer within {timeout_s:g} s")
    return _outcome(name, process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))


def _outcome(name: str, code: int, out: str, err: str) -> Outcome:
    if code == 0:
        return Outcome(out)
    if code < 0:
        return Outcome(out, f"{name} was ended by {_signal_name(-code)}")
    lines = [line.strip() for line in (err + "\n" + out).splitlines() if line.strip()]
    # The last line of a traceback and the first line of other messages say most.
    said = lines[-1] if any("Traceback" in line for line in lines) else (lines[0] if lines else "")
    return Outcome(out, f"{name} ended with {code}" + (f": {said[:200]}" if said else ""))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()
    # A process in an uninterruptible call to a broken driver cannot be waited for.
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=0.2)
