"""DNN911: a batch job with GPUs that leaves CPUs, memory or time to the defaults of the cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.scripts import Scripts
from dnnlint.deploy.training import processes_per_node
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Directive

_GPUS = ("--gres", "--gpus", "-G", "--gpus-per-node", "--gpus-per-task", "--gpus-per-socket")
_WANTED = (
    (("--mem", "--mem-per-cpu", "--mem-per-gpu", "--exclusive"), "memory", "`--mem`"),
    (("--cpus-per-task", "-c", "--cpus-per-gpu", "--exclusive"), "CPUs", "`--cpus-per-task`"),
    (("--time", "-t", "--requeue"), "a time limit", "`--time`"),
)


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report what the head of a GPU job leaves open, and too few CPUs for the workers of its script."""
    given = {directive.name: directive for directive in file.directives}
    gpus = next((item for item in file.directives if item.name in _GPUS and _asks_for_gpu(item)), None)
    if gpus is None:
        return
    missing = [(what, option) for options, what, option in _WANTED if not any(name in given for name in options)]
    if missing:
        names = _listed([what for what, _ in missing])
        yield FileReport(
            gpus.span,
            f"The job asks for `{gpus.name}` and leaves {names} to the defaults of the cluster.",
            f"Add {_listed([option for _, option in missing])}.",
        )
    yield from _workers(file, given)
    yield from _processes(file, gpus)


def _asks_for_gpu(directive: Directive) -> bool:
    return "gpu" in directive.value if directive.name == "--gres" else directive.value not in ("0", "")


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _workers(file: DeployFile, given: dict[str, Directive]) -> Iterator[FileReport]:
    directive = given.get("--cpus-per-task") or given.get("-c")
    if directive is None or not re.fullmatch(r"\d+", directive.value):
        return
    workers = Scripts(file).workers(file.commands)
    option = f"{directive.name}={directive.value}"
    if workers and int(directive.value) < workers + 1:
        yield FileReport(
            directive.span,
            f"`{option}` is fewer than the {workers} workers of the script and the process itself.",
            f"Ask for {workers + 1} CPUs per task.",
        )


def _processes(file: DeployFile, gpus: Directive) -> Iterator[FileReport]:
    """Report fewer GPUs on a node than a launcher starts processes there."""
    number = re.search(r"(?:^|:)(\d+)(?:\(.*)?$", gpus.value)
    if number is None or gpus.name not in ("--gres", "--gpus-per-node"):
        return
    for command in file.commands:
        count = processes_per_node(command)
        if count > int(number.group(1)):
            message = (
                f"`{gpus.name}={gpus.value}` gives {number.group(1)} GPUs a node, and {count} processes are started."
            )
            yield FileReport(command.span, message, "Make the two numbers equal.")


RULE = Rule("DNN911", "slurm-resources", Severity.ADVICE, "S2.1.2b", check_file=check)
