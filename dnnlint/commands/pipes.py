"""What happens when the reader of the output goes away, as in ``dnnlint check | head``: nothing."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def quiet_about_closed_pipe() -> Iterator[None]:
    """Flush standard output at the end; when nobody reads it any more, drop the rest without a word."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at exit and would complain then.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
