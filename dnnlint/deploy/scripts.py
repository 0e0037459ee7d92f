"""The Python scripts that a deployment file starts, as far as they lie beside it: what they ask of the container."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dnnlint.deploy.training import python_script

if TYPE_CHECKING:
    from dnnlint.deploy.model import Command, DeployFile
    from dnnlint.deploy.tree import Span
    from dnnlint.program import Program

_RECURSION_LIMIT = 12_000
_WORKERS = re.compile(r"--[\w-]*workers[= ](\d+)")


def _given(command: Command) -> list[str]:
    """The number of workers that a command line sets, which wins over the default of the script."""
    return _WORKERS.findall(" ".join(command.texts)) if python_script(command) else []


class Scripts:
    """Programs of the scripts that a file names, parsed when first asked for."""

    def __init__(self, file: DeployFile) -> None:
        """Know the files beside a deployment file."""
        self._file = file
        self._workers: dict[str, int | None] = {}

    def all_known(self, commands: Iterable[Command]) -> bool:
        """Whether every script that the commands start lies beside the file and says how many workers it has."""
        paths = [self._path(command) for command in commands if python_script(command)]
        return bool(paths) and all(path and self._read(path) is not None for path in paths)

    def workers(self, commands: Iterable[Command]) -> int | None:
        """The most DataLoader workers that the scripts of commands start; None when no script says so."""
        commands = list(commands)
        paths = [self._path(command) for command in commands]
        counts = [count for path in paths if path and (count := self._read(path)) is not None]
        given = [int(number) for command in commands for number in _given(command)]
        return max(given or counts, default=None)

    def bfloat16(self, commands: Iterable[Command]) -> tuple[str, Span] | None:
        """The script of a command in which every autocast is in bfloat16, and where the command names it."""
        for command in commands:
            path = self._path(command)
            if path and _only_bfloat16(self._file.neighbours[path]):
                word = next((word for word in command.words if word.text.endswith(".py")), command.words[0])
                return os.path.basename(path), word.span
        return None

    def _path(self, command: Command) -> str:
        """The file of a script; the path in an image is matched by its end."""
        script = python_script(command)
        if not script:
            return ""
        path = os.path.normpath(script.lstrip("/")).replace(os.sep, "/")
        names = self._file.neighbours
        if path in names:
            return path
        return next(
            (name for name in names if name.endswith(".py") and os.path.basename(name) == os.path.basename(path)), ""
        )

    def _read(self, path: str) -> int | None:
        if path not in self._workers:
            self._workers[path] = _count_workers(self._file.neighbours[path])
        return self._workers[path]


def _count_workers(data: bytes) -> int | None:
    """The most workers of any loader; None when there is no loader, or one whose number cannot be told and no other."""
    program = _program(data)
    if program is None:
        return None
    from dnnlint.program.literals import numbers
    from dnnlint.program.loaders import LOADERS, choices
    from dnnlint.program.values import Const

    known: list[int] = []
    is_complete = True
    for call in program.calls_to(*LOADERS):
        refs, all_seen = choices(program, call, "num_workers")
        values = [value for ref in refs for value in (program.resolver.resolve(ref) if ref else (Const(0),))]
        found = [int(number) for number in numbers(tuple(values))]
        known += found
        is_complete = is_complete and all_seen and bool(found)
    most = max(known, default=None)
    return most if is_complete or most else None


def _only_bfloat16(data: bytes) -> bool:
    """Whether a script autocasts, and to nothing else than bfloat16."""
    program = _program(data) if b"autocast" in data else None
    if program is None:
        return False
    from dnnlint.program.precision import AUTOCASTS
    from dnnlint.program.values import External

    given = [program.argument(call, "dtype", 1) for call in program.calls_to(*AUTOCASTS)]
    values = [value for ref in given if ref is not None for value in program.resolver.resolve(ref)]
    is_known = bool(values) and None not in given
    return is_known and all(isinstance(value, External) and value.qualified == "torch.bfloat16" for value in values)


def _program(data: bytes) -> Program | None:
    """The program of a script; None when it does not parse."""
    import sys

    import libcst as cst

    from dnnlint.program import build_program

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        return build_program(cst.parse_module(data))
    except Exception:  # whatever is wrong with the script is reported where the script itself is checked
        return None
    finally:
        sys.setrecursionlimit(limit)
