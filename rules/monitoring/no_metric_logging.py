"""DNN801: a training loop whose loss is neither printed nor logged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.scripts import TRACKERS, is_unknown_inside, script_loops
from dnnlint.program.spreading import Spread
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings
from dnnlint.rules.monitoring._losses import is_kept, is_shown, loss_names, metric_names, unknown_takers

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each training loop of a script that shows none of its numbers."""
    loops = script_loops(program)
    if not loops or program.imports(*TRACKERS):
        return
    for loop in loops:
        backward = next(iter(loop.backwards), None)
        if backward is None or is_unknown_inside(program, loop) or _may_be_seen(program, loop):
            continue
        yield Report(
            backward.call.node,
            f"No log, print, progress bar or tracker gets the loss of {quoted(program, backward.call.node)}.",
            "Log the mean loss every so many steps, read with `.item()` there and not on every step.",
        )


def _may_be_seen(program: Program, loop: TrainingLoop) -> bool:
    """Whether the loss goes to a log, a file or unknown code, or another number of the training to a log."""
    losses = loss_names(program, loop)
    spread = Spread(program, losses)
    if is_shown(spread) or is_kept(spread) or any(unknown_takers(program, spread)):
        return True
    return is_shown(Spread(program, metric_names(program, loop, losses)))


RULE = Rule("DNN801", "no-metric-logging", Severity.WARNING, "S5.2.2", check)
