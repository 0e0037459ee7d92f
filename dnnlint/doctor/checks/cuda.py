"""Rows about driver, CUDA and the installed build of PyTorch."""

from __future__ import annotations

from collections.abc import Iterator

from dnnlint.doctor.compatibility import has_kernel_for, is_capability_served, is_driver_enough, minimum_driver
from dnnlint.doctor.machine import Gpu, Machine, parse_version
from dnnlint.doctor.model import Row, Status

_TOPIC = "CUDA"
_CLAUSE = "S2.2.2"
_GET_STARTED = "https://pytorch.org/get-started/locally/"


def check_cuda(machine: Machine) -> Iterator[Row]:
    """Driver, CUDA build, compute capability, and whether PyTorch sees the GPU."""
    yield _driver(machine)
    yield _build(machine)
    yield _capability(machine)
    yield _seen_by_torch(machine)


def _row(name: str, status: Status, found: str, advice: str = "", *, is_failure: bool = False) -> Row:
    return Row(_TOPIC, name, status, found, advice, _CLAUSE, is_failure)


def _absent(machine: Machine, name: str) -> Row | None:
    """The row of a question that does not arise, None where it does."""
    if not machine.gpus.gpus:
        failed = machine.gpus.has_device
        return _row(name, Status.CANNOT_TELL, "the GPU cannot be asked" if failed else "there is no GPU to ask")
    if not machine.torch.version:
        return _row(name, Status.CANNOT_TELL, "PyTorch is not installed")
    return None


def _driver(machine: Machine) -> Row:
    answer, cuda = machine.gpus, machine.torch.cuda
    if not answer.driver:
        reason = "the GPU cannot be asked" if answer.has_device else "there is no GPU to ask"
        return _row("driver", Status.CANNOT_TELL, reason)
    found = answer.driver + (f", supports CUDA {answer.cuda}" if answer.cuda else "")
    if cuda and is_driver_enough(answer.driver, cuda) is False:
        advice = (
            f"Install driver {minimum_driver(cuda)} or newer, or a build of PyTorch for an older CUDA ({_GET_STARTED})."
        )
        return _row("driver", Status.WRONG, f"{found}, too old for PyTorch's CUDA {cuda}", advice)
    return _row("driver", Status.OK, found)


def _build(machine: Machine) -> Row:
    torch = machine.torch
    if torch.problem:
        return _row("PyTorch's CUDA", Status.CANNOT_TELL, torch.problem, "Install PyTorch again.", is_failure=True)
    if not torch.version:
        return _row("PyTorch's CUDA", Status.CANNOT_TELL, "PyTorch is not installed")
    if torch.hip:
        return _row(
            "PyTorch's CUDA", Status.CANNOT_TELL, f"built for AMD GPUs (ROCm {torch.hip}), which this does not check"
        )
    if not torch.cuda:
        if machine.gpus.gpus:
            advice = f"Install a CUDA build: {_GET_STARTED}"
            return _row("PyTorch's CUDA", Status.WRONG, "none: a build for CPUs on a machine with a GPU", advice)
        return _row("PyTorch's CUDA", Status.OK, "none: a build for CPUs")
    supported = machine.gpus.cuda
    if supported and parse_version(torch.cuda)[0] < parse_version(supported)[0] - 1:
        advice = "It runs; a newer build makes better use of the driver."
        return _row("PyTorch's CUDA", Status.OK, f"{torch.cuda}, much older than the driver's {supported}", advice)
    return _row("PyTorch's CUDA", Status.OK, torch.cuda)


def _capability(machine: Machine) -> Row:
    absent = _absent(machine, "compute capability")
    if absent is not None:
        return absent
    if not machine.torch.cuda:
        return _row("compute capability", Status.CANNOT_TELL, "the build has no kernels for GPUs")
    unknown = [gpu for gpu in machine.gpus.gpus if gpu.capability is None]
    if unknown:
        return _row("compute capability", Status.CANNOT_TELL, "the driver does not say", is_failure=True)
    found = ", ".join(sorted({_dotted(gpu) for gpu in machine.gpus.gpus}))
    verdicts = {gpu.name: _is_served(gpu, machine) for gpu in machine.gpus.gpus}
    left_out = [name for name, verdict in verdicts.items() if verdict is False]
    if left_out:
        advice = f"Install a build of PyTorch that still (or already) serves this GPU: {_GET_STARTED}"
        text = f"{found}: PyTorch {machine.torch.version} has no kernels for {', '.join(left_out)}"
        return _row("compute capability", Status.WRONG, text, advice)
    if None in verdicts.values():
        text = f"{found}; the tables do not hold CUDA {machine.torch.cuda}"
        return _row("compute capability", Status.CANNOT_TELL, text, is_failure=True)
    return _row("compute capability", Status.OK, f"{found}, served by the build")


def _dotted(gpu: Gpu) -> str:
    return ".".join(map(str, gpu.capability or ()))


def _is_served(gpu: Gpu, machine: Machine) -> bool | None:
    assert gpu.capability is not None
    answer = machine.torch_answer
    if answer is not None and answer.architectures:
        return has_kernel_for(gpu.capability, answer.architectures)
    return is_capability_served(gpu.capability, machine.torch.cuda)


def _seen_by_torch(machine: Machine) -> Row:
    name = "PyTorch sees the GPU"
    absent = _absent(machine, name)
    if absent is not None:
        return absent
    answer = machine.torch_answer
    if answer is None:
        return _row(name, Status.CANNOT_TELL, "PyTorch was not imported")
    if answer.problem:
        advice = "Run `python -c 'import torch'` in that environment."
        return _row(name, Status.WRONG, f"PyTorch cannot be imported: {answer.problem}", advice)
    if answer.cuda_error or not answer.cuda_available:
        visible = machine.host.environment.get("CUDA_VISIBLE_DEVICES")
        advice = "Compare driver and build above; in a container pass the GPUs in."
        if visible is not None and visible.strip() in ("", "-1"):
            advice = "CUDA_VISIBLE_DEVICES hides every GPU: unset it."
        return _row(name, Status.WRONG, answer.cuda_error or "no", advice)
    found = f"{answer.device_count} of {len(machine.gpus.gpus)}" + (f", cuDNN {answer.cudnn}" if answer.cudnn else "")
    if answer.device_count < len(machine.gpus.gpus):
        return _row(name, Status.ATTENTION, found, "CUDA_VISIBLE_DEVICES leaves GPUs out.")
    return _row(name, Status.OK, found)
