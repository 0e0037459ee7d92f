"""What happens when standard output cannot take what is written to it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

from dnnlint.engine.errors import UsageError


@contextlib.contextmanager
def guarded_output() -> Iterator[None]:
    """Flush standard output at the end; when nobody reads it any more, drop the rest without a word.

    Raises:
        UsageError: standard output cannot be written for another reason, such as a full disk.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # as in ``dnnlint check | head``
        _drop_output()
    except OSError as error:
        if error.filename is not None:  # of a file, and no stream
            raise
        _drop_output()
        raise UsageError(f"cannot write to standard output: {error.strerror or error}") from error


def require_streams() -> None:
    """Replace a closed standard error, so that messages have somewhere to go; refuse a closed standard output.

    Raises:
        UsageError: standard output is closed.
    """
    # The interpreter sets a stream that was closed before it started to None, whatever its type says.
    streams: dict[str, object] = {"stdout": sys.stdout, "stderr": sys.stderr}
    if streams["stderr"] is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # open until the end of the process
    if streams["stdout"] is None:
        raise UsageError("standard output is closed")


def _drop_output() -> None:
    # The interpreter flushes once more at exit and would complain then.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
