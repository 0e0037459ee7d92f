"""Let the child write in its scratch folder only; writes elsewhere land there too."""

from __future__ import annotations

import builtins
import ctypes
import io
import os
import pathlib
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_SYS_CREATE_RULESET, _SYS_ADD_RULE, _SYS_RESTRICT_SELF = 444, 445, 446
_RULE_PATH_BENEATH = 1
_VERSION_FLAG = 1
_PR_SET_NO_NEW_PRIVS = 38

# https://docs.kernel.org/userspace-api/landlock.html: WRITE_FILE, then REMOVE_DIR to MAKE_SYM.
_WRITE_FILE = 1 << 1
_CHANGES_V1 = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
_REFER_V2, _TRUNCATE_V3 = 1 << 13, 1 << 14

_WRITING_EVENTS = (
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "shutil.rmtree",
)
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

redirected: list[str] = []
"""Paths outside the scratch folder that the target wrote to; what it wrote went into the folder."""


def confine(scratch: Path) -> str:
    """Redirect Python's writes into ``scratch`` and forbid all others; says which mechanism forbids them."""
    _redirect_writes(scratch)
    if sys.platform == "linux" and _landlock(scratch):
        return "writes confined to a scratch folder by Landlock"
    _refuse_by_audit(scratch)
    return "writes confined to a scratch folder in Python; native code is not covered"


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def _landlock(scratch: Path) -> bool:
    """Forbid every change outside ``scratch``, /dev/null and shared memory; False where the kernel cannot."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_SYS_CREATE_RULESET, None, 0, _VERSION_FLAG)
    if version < 1:
        return False
    handled = _CHANGES_V1 | (_REFER_V2 if version >= 2 else 0) | (_TRUNCATE_V3 if version >= 3 else 0)
    attribute = ctypes.c_uint64(handled)
    ruleset = libc.syscall(_SYS_CREATE_RULESET, ctypes.byref(attribute), ctypes.sizeof(attribute), 0)
    if ruleset < 0:
        return False
    file_only = _WRITE_FILE | (handled & _TRUNCATE_V3)
    for path, access in ((scratch, handled), (Path("/dev/shm"), handled), (Path(os.devnull), file_only)):
        if path.exists():
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rule = _PathBeneath(access, handle)
            libc.syscall(_SYS_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
            os.close(handle)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    done = libc.syscall(_SYS_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return bool(done)


def _is_free(path: str, scratch: str) -> bool:
    return path.startswith((scratch + os.sep, "/dev/")) or path == scratch


def _refuse_by_audit(scratch: Path) -> None:
    root = str(scratch)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            changes = isinstance(arguments[2], int) and bool(arguments[2] & _WRITE_FLAGS)
        else:
            changes = event in _WRITING_EVENTS
        if changes and isinstance(arguments[0], (str, bytes, os.PathLike)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if not _is_free(path, root):
                raise PermissionError(13, "dnnlint estimate confines writes to a scratch folder", path)

    sys.addaudithook(watch)


def _redirect_writes(scratch: Path) -> None:
    """Make ``open``, ``os.open`` and ``os.mkdir`` write below ``scratch`` and read back what they wrote."""
    root, mirror = str(scratch), scratch / "files"
    # Their overloads say nothing here that matters.
    real_open: Any = io.open
    real_os_open: Any = os.open
    real_mkdir: Any = os.mkdir

    def place(path: object, writes: bool, keeps: bool) -> object:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return path
        full = os.path.realpath(os.fsdecode(path))
        if _is_free(full, root):
            return path
        copy = f"{mirror}{full}"
        if not writes:
            return copy if redirected and os.path.exists(copy) else path
        redirected.append(full)
        _make_folders(os.path.dirname(copy), real_mkdir)
        if keeps and os.path.isfile(full) and not os.path.exists(copy):
            shutil.copyfile(full, copy)
        return copy

    def open_file(file: object, mode: str = "r", *rest: Any, **named: Any) -> Any:
        writes = bool(set(mode) & set("wax+"))
        return real_open(place(file, writes, "r" in mode or "a" in mode), mode, *rest, **named)

    def os_open(path: object, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        writes = bool(flags & _WRITE_FLAGS) and dir_fd is None
        handle: int = real_os_open(place(path, writes, not flags & os.O_TRUNC), flags, mode, dir_fd=dir_fd)
        return handle

    def mkdir(path: object, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        real_mkdir(place(path, dir_fd is None, False), mode, dir_fd=dir_fd)

    builtins.open = io.open = open_file
    os.open = os_open
    os.mkdir = mkdir
    # Before Python 3.11 pathlib kept the functions that it found when it was imported.
    accessor: Any = getattr(pathlib, "_NormalAccessor", None)
    if accessor is not None:
        accessor.open, accessor.mkdir = staticmethod(open_file), staticmethod(mkdir)


def _make_folders(path: str, mkdir: Callable[[str], None]) -> None:
    missing = []
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for folder in reversed(missing):
        mkdir(folder)
