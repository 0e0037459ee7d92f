"""DNN511: nvidia-smi called with an option that it does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.knowledge.nvidia_smi import unknown_option
from dnnlint.rule import FileReport, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile
    from dnnlint.program import Program

_LIMIT_HELP = "Limit the memory of the process with `torch.cuda.set_per_process_memory_fraction(fraction)`."
_HELP = "Use an option that `nvidia-smi -h` lists."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report command lines of subprocess and os that give nvidia-smi an unknown option."""
    # A check of a deployment file imports this module, and must not pay for libcst.
    from dnnlint.program.commands import commands

    for command in commands(program):
        option = unknown_option(command.words)
        if option is not None:
            yield Report(command.call.node, *_texts(option))


def check_file(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report the same in shell scripts, and in the commands of images, compose files and manifests."""
    for command in file.commands:
        option = unknown_option(command.texts)
        if option is not None:
            word = next((word for word in command.words if word.text.startswith(option)), command.words[0])
            yield FileReport(word.span, *_texts(option))


def _texts(option: str) -> tuple[str, str]:
    message = f"`nvidia-smi` has no option `{option}`: it prints an error and changes nothing."
    is_limit = "mem" in option and ("limit" in option or "max" in option or "fraction" in option)
    return message, _LIMIT_HELP if is_limit else _HELP


RULE = Rule(
    code="DNN511",
    name="unknown-nvidia-smi-option",
    severity=Severity.ERROR,
    clause="S2.1.2c",
    check=check,
    check_file=check_file,
)
