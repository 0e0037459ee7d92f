"""The row about the memory of a training script: the estimate against the smallest GPU."""

from __future__ import annotations

from dnnlint.doctor.machine import Gpu, Machine
from dnnlint.doctor.model import Row, Status


def check_fit(path: str, machine: Machine, timeout_s: float) -> Row:
    """Estimate the script for the smallest GPU that is here."""
    from dnnlint.estimators import EstimateError, EstimateOptions, estimate

    known = [gpu for gpu in machine.gpus.gpus if gpu.memory_bytes]
    smallest = min(known, key=lambda gpu: gpu.memory_bytes or 0, default=None)
    name, capacity = _as_pytorch_sees(smallest) if smallest else (None, None)
    try:
        result = estimate(path, EstimateOptions(gpu=name, gpu_memory_bytes=capacity, timeout_s=timeout_s))
    except EstimateError as error:
        return _row(Status.CANNOT_TELL, error.message, error.help or "", is_failure=True)
    found = f"{result.peak.device_bytes / 2**30:.1f} GiB"
    if capacity is None:
        return _row(Status.CANNOT_TELL, f"{found} predicted, and no GPU to compare with", "")
    found = f"{found} predicted of {capacity / 2**30:.1f} GiB: {result.verdict.status.value}"
    status = {0: Status.OK, 1: Status.WRONG}.get(result.verdict.status.exit_code, Status.CANNOT_TELL)
    if status is Status.OK and result.verdict.status.value != "fits":
        status = Status.ATTENTION
    advice = f"The largest batch that fits is {result.max_batch}." if result.max_batch is not None else ""
    return _row(status, found, advice, is_failure=status is Status.CANNOT_TELL)


def _as_pytorch_sees(gpu: Gpu) -> tuple[str | None, int | None]:
    """The name of a GPU in the catalogue, and its memory; the driver counts some that PyTorch does not get."""
    from dnnlint.estimators.devices import GpuError, find_gpu

    try:
        known = find_gpu(gpu.name)
    except GpuError:
        return None, gpu.memory_bytes
    return known.name, min(known.memory_bytes, gpu.memory_bytes or known.memory_bytes)


def _row(status: Status, found: str, advice: str, *, is_failure: bool = False) -> Row:
    return Row("script", "GPU memory", status, found, advice, "S4.1.2", is_failure)
