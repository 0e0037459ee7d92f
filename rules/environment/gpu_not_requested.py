"""DNN907: a training pod without a GPU among its limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.training import is_training, processes_per_node, wants_gpu
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Workload

_GPU = "nvidia.com/gpu"


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report containers that train on a GPU and ask for none."""
    for workload in file.workloads:
        if workload.kind == "compose":
            continue
        if workload.has_gpu:
            yield from _too_few(workload)
            continue
        requested = workload.spec.text("resources", "requests", _GPU)
        if requested:
            message = f"The container `{workload.name}` requests `{_GPU}` without a limit: the pod is rejected."
        elif is_training(workload) and wants_gpu(workload, file):
            message = f"The container `{workload.name}` trains and has no limit of `{_GPU}`: it is given no GPU."
        else:
            continue
        yield FileReport(workload.span, message, f"Add `{_GPU}` under `resources.limits`.")


def _too_few(workload: Workload) -> Iterator[FileReport]:
    """Report fewer GPUs than the launcher starts processes, of which each takes one."""
    limit = workload.spec.text("resources", "limits", _GPU)
    for command in workload.script.commands:
        count = processes_per_node(command)
        if limit.isdigit() and count > int(limit):
            started = f"`{command.texts[0]}` starts {count} processes"
            message = f"The container `{workload.name}` has `{_GPU}: {limit}`, and {started}, of which each takes one."
            yield FileReport(command.span, message, "Make the two numbers equal.")


RULE = Rule("DNN907", "gpu-not-requested", Severity.ERROR, "S3.1.2", check_file=check)
