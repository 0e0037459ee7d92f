"""DNN707: a shell loop that starts training again without an end, after success, or from the beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.training import Launch, launches
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Loop, Script

_FOREVER = re.compile(r"^(true|:|\[+\s*(1|true)\s*\]+|\(\(\s*1\s*\)\)|1)$")
_RESUMES = re.compile(r"resume|restart|checkpoint|ckpt|load|restore|continue|auto", re.IGNORECASE)
_COUNTS = re.compile(r"-(lt|le|gt|ge|eq|ne)\b|\(\(|[<>]|\$\w+|\$\{\w+\}")


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report loops that restart training and miss a limit, an end or a checkpoint."""
    for script in file.scripts:
        for loop in script.loops:
            inside = [launch for launch in launches(script.commands) if loop in launch.command.loops[:1]]
            if not inside:
                continue
            faults = list(_faults(loop, inside, script))
            if faults:
                yield FileReport(
                    loop.header,
                    f"The loop restarts `{_name(inside[0])}` {_listed(faults)}.",
                    "Leave the loop on success, limit the attempts, and resume from the last checkpoint.",
                )


def _faults(loop: Loop, inside: list[Launch], script: Script) -> Iterator[str]:
    is_condition = any(launch.command.is_condition for launch in inside)
    is_forever = loop.keyword == "while" and _FOREVER.match(loop.condition) is not None
    leaves = any(loop.span[0] <= span[0] < loop.span[1] for span in script.exits)
    goes_on_after_success = loop.keyword == "while" and not loop.condition.startswith("!")
    if is_condition and goes_on_after_success:
        yield "after success and ends it on failure"
    elif is_forever and not leaves:
        yield "after success as well"
    if (is_forever and not leaves) or (is_condition and not leaves and not _COUNTS.search(loop.condition)):
        yield "without a limit"
    is_restart = is_condition or is_forever
    if is_restart and not any(_RESUMES.search(" ".join(launch.command.texts)) for launch in inside):
        yield "from the beginning"


def _name(launch: Launch) -> str:
    return launch.script or launch.command.texts[0]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


RULE = Rule("DNN707", "endless-restart-loop", Severity.WARNING, "S5.2.1", check_file=check)
