"""DNN907: a training pod without a GPU among its limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.training import is_training, wants_gpu
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile

_GPU = "nvidia.com/gpu"


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report containers that train on a GPU and ask for none."""
    for workload in file.workloads:
        if workload.kind == "compose" or workload.has_gpu:
            continue
        requested = workload.spec.text("resources", "requests", _GPU)
        if requested:
            message = f"The container `{workload.name}` requests `{_GPU}` without a limit: the pod is rejected."
        elif is_training(workload) and wants_gpu(workload, file):
            message = f"The container `{workload.name}` trains and has no limit of `{_GPU}`: it is given no GPU."
        else:
            continue
        yield FileReport(workload.span, message, f"Add `{_GPU}` under `resources.limits`.")


RULE = Rule("DNN907", "gpu-not-requested", Severity.ERROR, "S3.1.2", check_file=check)
