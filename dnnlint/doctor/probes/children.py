"""Run one of the scripts beside this module in an interpreter of its own and read the JSON that it prints."""

from __future__ import annotations

import json
import os
from typing import NamedTuple

from dnnlint.doctor.probes.commands import run_limited

_FOLDER = os.path.dirname(os.path.abspath(__file__))
# Neither the folder of the script nor the working folder may shadow the modules of the interpreter.
_START = "import sys; sys.path[:] = [p for p in sys.path if p]; f = {path!r}; exec(compile(open(f).read(), f, 'exec'))"


class Answer(NamedTuple):
    """The object that a script printed, empty with a problem where it printed none."""

    values: dict[str, object]
    problem: str = ""


def ask_script(python: str, script: str, timeout_s: float) -> Answer:
    """Run a script; noise that libraries print before its last line does not matter."""
    start = _START.format(path=os.path.join(_FOLDER, script))
    return parse_answer(*run_limited([python, "-c", start], timeout_s))


def parse_answer(out: str, problem: str) -> Answer:
    """The last line of an output that is a JSON object."""
    if problem:
        return Answer({}, problem)
    for line in reversed(out.splitlines()):
        try:
            values = json.loads(line)
        except ValueError:
            continue
        if isinstance(values, dict):
            return Answer(values)
    return Answer({}, "no answer in what it printed")
