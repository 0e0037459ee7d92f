"""DNN608: a process group that is never destroyed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import mentions
from dnnlint.finding import Severity
from dnnlint.program.ranks import FRAMEWORKS, INIT_PROCESS_GROUP, calls_unknown, mentions_text
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_DESTROY = "destroy_process_group"
_CLEAN_UP = r"clean|destroy|shut_?down|tear_?down|finali[sz]e|dist_end|exit_dist|close"


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first init_process_group of a script in which destroy_process_group does not occur."""
    calls = program.calls_to(*INIT_PROCESS_GROUP)
    if not calls or program.imports(*FRAMEWORKS) or not _is_script(program):
        return
    if mentions_text(program, _DESTROY) or calls_unknown(program, _CLEAN_UP):
        return
    if any(_DESTROY in name for name, _ in program.facts.imports):
        return
    yield Report(
        calls[0].node,
        f"{quoted(program, calls[0].node)} starts a process group, and `{_DESTROY}()` occurs nowhere.",
        f"Call `torch.distributed.{_DESTROY}()` at the end of the script.",
    )


def _is_script(program: Program) -> bool:
    """Whether the end of the run lies in the file: it runs as a script, and another file cannot destroy the group."""
    if any(branch.test is not None and mentions(branch.test, "__name__") for branch in program.facts.branches):
        return True
    return any(call.block.function is None for call in program.calls_to(*INIT_PROCESS_GROUP))


RULE = Rule(
    code="DNN608",
    name="process-group-not-destroyed",
    severity=Severity.ADVICE,
    clause="S3.1.1b",
    check=check,
)
