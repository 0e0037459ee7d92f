"""Work for the child process that misbehaves in one way each."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

Request = Mapping[str, str]
Emit = Callable[[str], None]


def echo(request: Request, emit: Emit) -> dict[str, object]:
    emit("echoing")
    print("printed by the target")
    return {"echo": request["text"]}


def hang(request: Request, emit: Emit) -> dict[str, object]:
    emit("waiting for ever")
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    emit(f"pid {child.pid}")
    while True:
        time.sleep(1)


def vanish(request: Request, emit: Emit) -> dict[str, object]:
    os._exit(7)


def leave(request: Request, emit: Emit) -> dict[str, object]:
    raise SystemExit("bye")


def abort(request: Request, emit: Emit) -> dict[str, object]:
    os.kill(os.getpid(), signal.SIGABRT)
    return {}


def hoard(request: Request, emit: Emit) -> dict[str, object]:
    return {"size": len(bytearray(200 << 30))}


def connect(request: Request, emit: Emit) -> dict[str, object]:
    for run in (_connect_here, _connect_in_a_child):
        if run(int(request["port"])):
            return {"connected": run.__name__}
    return {"connected": ""}


def _connect_here(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        return False
    return True


def _connect_in_a_child(port: int) -> bool:
    code = f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=2)"
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False).returncode == 0


def write(request: Request, emit: Emit) -> dict[str, object]:
    path = Path(request["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("changed")
    with path.open("a") as file:
        file.write(" twice")
    return {"read back": path.read_text()}


def remove(request: Request, emit: Emit) -> dict[str, object]:
    os.remove(request["path"])
    return {}


def write_in_a_child(request: Request, emit: Emit) -> dict[str, object]:
    code = f"open({request['path']!r}, 'w').write('changed')"
    subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False)
    return {}


def close_the_channel(request: Request, emit: Emit) -> dict[str, object]:
    os.closerange(3, 64)
    time.sleep(600)
    return {}


def without_landlock(request: Request, emit: Emit) -> dict[str, object]:
    from dnnlint.estimators.sandbox import files

    files._refuse_by_audit(Path(os.environ["TMPDIR"]))
    actions = {
        "remove": lambda: os.remove(request["path"]),
        "open": lambda: os.open(request["path"], os.O_WRONLY, dir_fd=os.open("/", 0)),
    }
    return {"refused": [name for name, action in actions.items() if _is_refused(action)]}


def _is_refused(action: Callable[[], object]) -> bool:
    try:
        action()
    except PermissionError:
        return True
    return False
