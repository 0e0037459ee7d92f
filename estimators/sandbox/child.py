"""The inside of the child process: shut the doors, do the work, answer in JSON."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO

from dnnlint.estimators.errors import EstimateError
from dnnlint.estimators.sandbox import doors

Emit = Callable[[str], None]
"""Tell the parent which stage has begun."""


def main() -> None:
    """Read one order from standard input and answer it; the process ends here."""
    order = json.loads(sys.stdin.buffer.readline())
    channel = _private_channel()
    protections = doors.shut(Path(order["scratch"]), int(order["memory_bytes"]))
    _send(channel, {"event": "progress", "stage": "importing the libraries"})
    try:
        module, _, function = order["work"].partition(":")
        work = getattr(importlib.import_module(module), function)
        result = work(order["request"], lambda stage: _send(channel, {"event": "progress", "stage": stage}))
        answer: dict[str, object] = {"event": "result", "result": {**result, "sandbox": protections}}
    except BaseException as error:
        message, help = explain(error)
        answer = {"event": "error", "message": message, "help": help}
    _send(channel, answer)
    # Threads and exit handlers of the target get no say once the answer is out.
    os._exit(0)


def _private_channel() -> IO[bytes]:
    """Keep the pipe to the parent for messages alone: what the target prints goes to standard error."""
    sys.stdout.flush()
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return channel


def _send(channel: IO[bytes], message: dict[str, object]) -> None:
    channel.write(json.dumps(message).encode() + b"\n")
    channel.flush()


def explain(error: BaseException) -> tuple[str, str]:
    """Turn whatever ended the work into one message and what to do next."""
    if isinstance(error, EstimateError):
        return error.message, error.help
    place = _place(error)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error) or "bad_alloc" in str(error):
        return (
            f"The target asks for more host memory than it is given{place}.",
            "Raise --memory-limit, or keep large arrays out of the statements that build the model.",
        )
    if isinstance(error, SystemExit):
        return (
            f"The target ends itself with exit({error.code!r}){place}.",
            "Move the exit out of the statements that build the model, or name another entry with --entry.",
        )
    if isinstance(error, PermissionError) and error.filename:
        return (
            f"The target changes '{error.filename}'{place}, which an estimate does not let it do.",
            "Move file operations out of the statements that build the model.",
        )
    text = str(error).strip().splitlines()
    return (
        f"{type(error).__name__}{': ' + text[0][:300] if text else ''}{place}",
        "Run the same statements in Python to see the whole traceback; --entry names another part of the file.",
    )


def _place(error: BaseException) -> str:
    """Name the innermost line that belongs to the user, not to an installed package or to dnnlint."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_users(frame.filename)]
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


def _is_users(filename: str) -> bool:
    # Frames of a checkout carry the path of the link, not of the file.
    path = os.path.realpath(filename)
    own = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    installed = "site-packages" in path or "dist-packages" in path or path.startswith((sys.base_prefix + os.sep, own))
    return not installed and not filename.startswith("<")
