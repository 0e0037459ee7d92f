"""DNN906: a training container whose DataLoader workers have 64 MB of shared memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy.scripts import Scripts
from dnnlint.deploy.training import has_other_device, is_training, wants_gpu
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Option, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Workload

_SIZE = re.compile(r"^(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?$")
_OTHER_FRAMEWORK = re.compile(r"jax|tensorflow|mxnet|paddle|mindspore|(?<![a-z])tf(?![a-z])")
_GIB = {"": 2**-30, "k": 2**-20, "m": 2**-10, "g": 1.0, "t": 2.0**10}
_COMPOSE_HELP = "Add `shm_size: 16gb`, or `ipc: host`."
_POD_HELP = "Mount an `emptyDir` with `medium: Memory` at `/dev/shm`."


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report containers that train with worker processes and leave shared memory at its default."""
    scripts = Scripts(file)
    for workload in file.workloads:
        workers = scripts.workers(workload.script.commands)
        if workers is None and not _may_have_workers(workload, file, scripts):
            continue
        if workers == 0 or (workload.has_shared_memory and not _is_small(workload, settings)):
            continue
        kind = "service" if workload.kind == "compose" else "container"
        size = f"{workload.shared_memory} of" if workload.shared_memory else "the default 64 MB of"
        why = f"its script starts `num_workers={workers}`" if workers else "it trains"
        yield FileReport(
            workload.span,
            f"The {kind} `{workload.name}` has {size} shared memory and {why}: workers die with a bus error.",
            _COMPOSE_HELP if workload.kind == "compose" else _POD_HELP,
        )


def _may_have_workers(workload: Workload, file: DeployFile, scripts: Scripts) -> bool:
    """Whether a container trains with a script that is not at hand."""
    if scripts.all_known(workload.script.commands) or has_other_device(workload):
        return False
    if workload.image is not None and _OTHER_FRAMEWORK.search(workload.image.reference):
        return False
    return is_training(workload) and (workload.has_gpu or wants_gpu(workload, file))


def _is_small(workload: Workload, settings: Settings) -> bool:
    minimum = settings["minimum-gib"]
    match = _SIZE.match(workload.shared_memory.strip().lower())
    if match is None or not isinstance(minimum, float):
        return False
    return float(match.group(1)) * _GIB[match.group(2)] < minimum


RULE = Rule(
    code="DNN906",
    name="shared-memory-too-small",
    severity=Severity.WARNING,
    clause="S2.2.3a",
    options=(Option("minimum-gib", 1.0, "The smallest size of shared memory, in GiB, that is not reported."),),
    check_file=check,
)
