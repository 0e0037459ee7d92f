"""Run all probes at once and put their answers together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from dnnlint.doctor.machine import Machine, TorchAnswer
from dnnlint.doctor.probes.children import Answer, ask_script
from dnnlint.doctor.probes.disk_speed import measure_disk
from dnnlint.doctor.probes.gpus import find_gpus
from dnnlint.doctor.probes.host import find_host
from dnnlint.doctor.probes.packages import default_python, find_python, find_torch


class Plan(NamedTuple):
    """What to look at, and how long a probe may take."""

    folder: str
    python: str = ""
    timeout_s: float = 10.0
    torch_timeout_s: float = 60.0
    import_torch: bool = True
    disk_folder: str | None = None
    """Where to test the speed of the disk, None not to."""


def gather(plan: Plan) -> Machine:
    """Everything that can be found out about this machine."""
    with ThreadPoolExecutor(2) as pool:
        gpus = pool.submit(find_gpus, plan.timeout_s)
        python = find_python(plan.python or default_python(), plan.timeout_s)
        torch = find_torch(python)
        host = find_host(plan.folder)
        answer = None
        if plan.import_torch and torch.path:
            answer = read_torch(ask_script(python.executable, "torch_child.py", plan.torch_timeout_s))
        found = gpus.result()
    # The disk is tested when nothing else runs.
    speed = measure_disk(plan.disk_folder) if plan.disk_folder is not None else None
    return Machine(host, found, python, torch, answer, speed)


def read_torch(answer: Answer) -> TorchAnswer:
    """What PyTorch said, as typed values."""
    if answer.problem:
        return TorchAnswer(problem=answer.problem)
    values = answer.values
    count, architectures = values.get("device_count"), values.get("architectures")
    return TorchAnswer(
        cuda_available=bool(values.get("cuda_available")),
        cuda_error=str(values.get("cuda_error") or ""),
        device_count=count if isinstance(count, int) else 0,
        architectures=tuple(map(str, architectures)) if isinstance(architectures, list) else (),
        cudnn=str(values.get("cudnn") or ""),
    )
