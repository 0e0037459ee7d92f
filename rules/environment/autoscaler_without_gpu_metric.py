"""DNN910: an autoscaler that looks at the CPU of a workload whose work is on the GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.manifests import find_target
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile

_MEASURED = ("cpu", "memory")
_HELP = "Export the utilisation with the DCGM exporter, and scale on it as a `Pods` or `External` metric."


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report autoscalers without a metric that says anything about GPUs."""
    for scaler in file.autoscalers:
        for kind, name, span in scaler.metrics:
            if kind in ("Resource", "ContainerResource") and name not in _MEASURED:
                message = f"The metric `{name}` is never reported: `{kind}` metrics are `cpu` and `memory` alone."
                yield FileReport(span, message, _HELP)
        kinds = {kind for kind, _, _ in scaler.metrics}
        if kinds <= {"Resource", "ContainerResource"} and all(name in _MEASURED for _, name, _ in scaler.metrics):
            target = find_target(scaler.target, file)
            if target is not None and target.has_gpu:
                span = scaler.metrics[0][2] if scaler.metrics else scaler.span
                message = (
                    f"`{scaler.target}` runs on GPUs and is scaled by its CPU or memory, which say nothing of them."
                )
                yield FileReport(span, message, _HELP)


RULE = Rule("DNN910", "autoscaler-without-gpu-metric", Severity.WARNING, "S3.1.2", check_file=check)
