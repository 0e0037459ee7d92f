"""A short test of how fast a disk writes and reads, and how far it can be trusted."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import tempfile
import time

from dnnlint.doctor.machine import DiskSpeed

DEFAULT_SIZE_BYTES = 512 * 2**20
_BLOCK = 4 * 2**20
_DIRECT = getattr(os, "O_DIRECT", 0)
_RESERVE = 4
"""The test leaves three times its size free."""


def measure_disk(folder: str, size_bytes: int = DEFAULT_SIZE_BYTES) -> DiskSpeed:
    """Write a file of random bytes, flush it to the device, read it past the cache, remove it."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return DiskSpeed(folder, problem=f"{error.strerror}")
    if free < size_bytes * _RESERVE:
        return DiskSpeed(folder, problem=f"less than {size_bytes * _RESERVE // 2**20} MiB are free")
    path = ""
    try:
        descriptor, path = tempfile.mkstemp(prefix=".dnnlint-disk-", dir=folder)
        os.close(descriptor)
        return _measure(folder, path, size_bytes)
    except (OSError, ValueError) as error:
        return DiskSpeed(folder, problem=str(getattr(error, "strerror", None) or error))
    finally:
        if path:
            with contextlib.suppress(OSError):
                os.unlink(path)


def _measure(folder: str, path: str, size_bytes: int) -> DiskSpeed:
    # Random bytes, because some disks and file systems compress; aligned, because O_DIRECT requires it.
    block = mmap.mmap(-1, _BLOCK)
    block.write(os.urandom(_BLOCK))
    blocks = max(1, size_bytes // _BLOCK)
    written, write_method = _timed_write(path, block, blocks)
    read, read_method = _timed_read(path, block, blocks)
    total = blocks * _BLOCK
    method = f"{total // 2**20} MiB in blocks of 4 MiB, one after the other; write {write_method}, read {read_method}"
    return DiskSpeed(folder, total, total / written, total / read if read else None, method)


def _open(path: str, flags: int) -> tuple[int, bool]:
    """Open without the page cache where the file system allows it."""
    if _DIRECT:
        with contextlib.suppress(OSError):
            return os.open(path, flags | _DIRECT), True
    return os.open(path, flags), False


def _timed_write(path: str, block: mmap.mmap, blocks: int) -> tuple[float, str]:
    descriptor, is_direct = _open(path, os.O_WRONLY | os.O_TRUNC)
    try:
        start = time.perf_counter()
        for _ in range(blocks):
            if os.write(descriptor, block) != len(block):
                raise OSError("a block was written in part")
        os.fsync(descriptor)
        return max(time.perf_counter() - start, 1e-9), "with O_DIRECT and fsync" if is_direct else "with fsync"
    finally:
        os.close(descriptor)


def _timed_read(path: str, block: mmap.mmap, blocks: int) -> tuple[float, str]:
    """Seconds of reading, 0 where the cache cannot be avoided: its speed would say nothing about the disk."""
    descriptor, is_direct = _open(path, os.O_RDONLY)
    try:
        if not is_direct and not _drop_cache(descriptor):
            return 0.0, "not measured: the page cache cannot be avoided here"
        start = time.perf_counter()
        for _ in range(blocks):
            if os.readv(descriptor, [block]) <= 0:
                raise OSError("the file ended early")
        seconds = max(time.perf_counter() - start, 1e-9)
    finally:
        os.close(descriptor)
    return (
        seconds,
        "with O_DIRECT" if is_direct else "after posix_fadvise asked to drop the cache, which may not have helped",
    )


def _drop_cache(descriptor: int) -> bool:
    advise = getattr(os, "posix_fadvise", None)
    if advise is None:
        return False
    try:
        advise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    except OSError:
        return False
    return True
