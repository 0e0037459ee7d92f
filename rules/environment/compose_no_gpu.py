"""DNN905: a training service of a compose file to which no GPU is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.training import is_training, wants_gpu
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Workload

_HELP = "Add `gpus: all`, or a reservation of `driver: nvidia` devices under `deploy.resources`."


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report services that are made for a GPU and see none."""
    for workload in file.workloads:
        if workload.kind != "compose" or workload.has_gpu or not _is_for_gpu(workload, file):
            continue
        if workload.variables.get("NVIDIA_VISIBLE_DEVICES", "void") != "void":
            continue  # read by the NVIDIA runtime, which is then the default of the host
        visible = workload.variables.get("CUDA_VISIBLE_DEVICES")
        reason = f"`CUDA_VISIBLE_DEVICES={visible}` chooses among GPUs" if visible else "it trains"
        yield FileReport(
            workload.span,
            f"The service `{workload.name}` gets no GPU although {reason}: the container sees no device.",
            _HELP,
        )


def _is_for_gpu(workload: Workload, file: DeployFile) -> bool:
    """A container that trains, or that chooses among GPUs, which only means something where there are some."""
    chooses = bool(workload.variables.get("CUDA_VISIBLE_DEVICES", "").strip("- $"))
    return (is_training(workload) or chooses) and wants_gpu(workload, file)


RULE = Rule("DNN905", "compose-no-gpu", Severity.ERROR, "S2.2.3a", check_file=check)
