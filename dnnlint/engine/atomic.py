"""Replace a file in one step, so that a reader never sees half of it."""

from __future__ import annotations

import contextlib
import os


def write_atomically(path: str, data: bytes) -> None:
    """Write a file beside its target and move it there; mode and links of an existing file are kept.

    Raises:
        OSError: the folder or the file cannot be written.
    """
    target = os.path.realpath(path)
    temporary = f"{target}.{os.getpid()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            if os.path.exists(target):
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
