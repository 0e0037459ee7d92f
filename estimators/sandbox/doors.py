"""Close what a child process does not need, and say which way each door was closed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
from pathlib import Path

from dnnlint.estimators.sandbox import files

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_PR_SET_PDEATHSIG = 1
_FILE_SIZE_BYTES = 1 << 30


def shut(scratch: Path, memory_bytes: int) -> dict[str, str]:
    """Apply every protection that this system offers; the answer names how, door by door."""
    _die_with_parent()
    # Namespaces first: they need a process without threads and writable files in /proc.
    network = _close_network()
    return {
        "network": network,
        "files": files.confine(scratch),
        "memory": _limit_memory(memory_bytes),
    }


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _limit_memory(memory_bytes: int) -> str:
    try:
        import resource
    except ImportError:
        return "not limited: this system has no resource limits"
    # RLIMIT_DATA counts private writable memory; the address space would also count mapped libraries.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    try:
        for limit, value in (
            (kind, memory_bytes),
            (resource.RLIMIT_FSIZE, _FILE_SIZE_BYTES),
            (resource.RLIMIT_CORE, 0),
        ):
            hard = resource.getrlimit(limit)[1]
            resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    except (ValueError, OSError) as error:
        return f"not limited: {error}"
    return f"limited to {memory_bytes} bytes"


def _close_network() -> str:
    if sys.platform == "linux" and _own_network_namespace():
        return "closed by a network namespace"
    _refuse_connections()
    return "closed by refusing socket connections in Python; programs that the target starts are not covered"


def _own_network_namespace() -> bool:
    uid, gid = os.getuid(), os.getgid()
    unshare = ctypes.CDLL(None, use_errno=True).unshare
    if unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
        return bool(unshare(_CLONE_NEWNET) == 0)
    # Keep the user's own name and files: without a map everybody is "nobody".
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    return True


def _refuse_connections() -> None:
    def refuse(self: socket.socket, *address: object) -> None:
        raise OSError("dnnlint estimate runs without a network")

    for name in ("connect", "connect_ex", "sendto"):
        setattr(socket.socket, name, refuse)
