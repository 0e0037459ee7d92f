"""DNN511: nvidia-smi called with an option that it does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.knowledge.nvidia_smi import unknown_option
from dnnlint.program.commands import commands
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_LIMIT_HELP = "Limit the memory of the process with `torch.cuda.set_per_process_memory_fraction(fraction)`."
_HELP = "Use an option that `nvidia-smi -h` lists."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report command lines of subprocess and os that give nvidia-smi an unknown option."""
    for command in commands(program):
        option = unknown_option(command.words)
        if option is not None:
            message = f"`nvidia-smi` has no option `{option}`: it prints an error and changes nothing."
            is_limit = "mem" in option and ("limit" in option or "max" in option or "fraction" in option)
            yield Report(command.call.node, message, _LIMIT_HELP if is_limit else _HELP)


RULE = Rule(
    code="DNN511",
    name="unknown-nvidia-smi-option",
    severity=Severity.ERROR,
    clause="S2.1.2c",
    check=check,
)
