"""Shell text as words: the simple commands of a command line, and the program that one of them runs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

UNKNOWN = "$"
"""Stands in a word for a part that is not known, as a shell variable does."""

# Commands that run the command given to them.
_RUNNERS = frozenset(
    "sudo env watch timeout nohup nice time exec srun mpirun xargs stdbuf numactl command docker kubectl ssh".split()
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


def simple_commands(text: str) -> list[list[str]]:
    """The words of each simple command of a command line; none where the quoting is not closed."""
    lexer = shlex.shlex(text.replace("\\\n", " ").replace("\n", " ; "), posix=True, punctuation_chars=";&|()<>")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    commands: list[list[str]] = [[]]
    try:
        for word in lexer:
            if set(word) <= set(";&|()"):
                commands.append([])
            else:
                commands[-1].append(word)
    except ValueError:
        return []
    return [words for words in commands if words]


def base_name(word: str) -> str:
    """``nvidia-smi`` of ``/usr/bin/nvidia-smi`` and of ``C:\\...\\nvidia-smi.exe``."""
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe")


def arguments_for(words: Sequence[str], program: str) -> Sequence[str] | None:
    """What a program is given by a simple command, also behind ``sudo`` or ``watch -n 1``; None where it is not run."""
    for index, word in enumerate(words):
        if base_name(word) == program:
            before = [w for w in words[:index] if not _ASSIGNMENT.match(w)]
            return words[index + 1 :] if not before or base_name(before[0]) in _RUNNERS else None
    return None
