"""Rows about a training script: what it needs against what is here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.machinery import PathFinder

from dnnlint.doctor.checks.host import DOCKER_SHM, GIB
from dnnlint.doctor.machine import Gpu, Machine, Version
from dnnlint.doctor.model import Row, Status
from dnnlint.doctor.needs import Needs

_BFLOAT16: Version = (8, 0)
_TENSOR_CORES: Version = (7, 0)
_TRITON: Version = (7, 0)


def check_script(needs: Needs, machine: Machine) -> Iterator[Row]:
    """Every row about the script."""
    yield _imports(needs, machine)
    yield _device(needs, machine)
    if needs.loaders:
        yield from _workers(needs, machine)
    yield from _precision(needs, machine)
    if needs.compiles:
        yield _compile(machine)


def _row(
    name: str, status: Status, found: str, advice: str = "", clause: str = "S6.1", *, is_failure: bool = False
) -> Row:
    return Row("script", name, status, found, advice, clause, is_failure)


def _imports(needs: Needs, machine: Machine) -> Row:
    if machine.python.problem:
        return _row("imports", Status.CANNOT_TELL, "the interpreter cannot be asked", clause="S2.2.1", is_failure=True)
    path = list(machine.python.search_path)
    missing = [name for name in needs.imports if _spec(name, path) is None]
    if missing:
        advice = f"Install them for {machine.python.executable}, or name another interpreter with --python."
        return _row("imports", Status.WRONG, f"not installed: {', '.join(missing)}", advice, "S2.2.1")
    return _row("imports", Status.OK, f"{len(needs.imports)} packages, all installed", clause="S2.2.1")


def _spec(name: str, path: list[str]) -> object:
    try:
        return PathFinder.find_spec(name, path)
    except (ImportError, OSError, ValueError):
        return None


def _device(needs: Needs, machine: Machine) -> Row:
    gpus = machine.gpus.gpus
    if not needs.uses_cuda and not needs.uses_nccl:
        if gpus:
            return _row("device", Status.ATTENTION, "the script names no GPU", "Move model and batches to `cuda`.")
        return _row("device", Status.OK, "the script names no GPU")
    if not gpus:
        if machine.gpus.has_device:
            return _row("device", Status.CANNOT_TELL, "the GPU cannot be asked", is_failure=True)
        if needs.requires_cuda or needs.uses_nccl:
            advice = "Run it where a GPU is, or ask `torch.cuda.is_available()` first."
            return _row("device", Status.WRONG, "the script needs a GPU, and none was found", advice)
        return _row("device", Status.ATTENTION, "the script would use a GPU and falls back to the CPU")
    if needs.highest_device >= len(gpus):
        found = f"the script names cuda:{needs.highest_device}, and there are {len(gpus)} GPUs"
        return _row("device", Status.WRONG, found, "Take the device from LOCAL_RANK or an option.")
    return _row("device", Status.OK, f"cuda, {len(gpus)} here")


def _workers(needs: Needs, machine: Machine) -> Iterator[Row]:
    host, processes = machine.host, max(1, len(machine.gpus.gpus)) if needs.uses_nccl else 1
    if needs.workers is None:
        advice = "The number of workers is known only at run time."
        yield _row("workers", Status.CANNOT_TELL, f"{needs.loaders} DataLoaders", advice, "S3.1.1a", is_failure=True)
        return
    total = needs.workers * processes
    found = f"{needs.workers} workers" + (f" in each of {processes} processes" if processes > 1 else "")
    if host.cores is None:
        yield _row("workers", Status.CANNOT_TELL, found, clause="S3.1.1a", is_failure=True)
    elif total + processes > host.cores:
        advice = f"Set `num_workers` to at most {max(0, host.cores // processes - 1)}."
        text = f"{found} and {host.cores} cores"
        status = Status.WRONG if total > 2 * host.cores else Status.ATTENTION
        yield _row("workers", status, text, advice, "S3.1.1a")
    else:
        yield _row("workers", Status.OK, f"{found}, {host.cores} cores", clause="S3.1.1a")
    if needs.workers and host.shm_bytes is not None and host.shm_bytes < GIB:
        status = Status.WRONG if host.shm_bytes <= DOCKER_SHM else Status.ATTENTION
        text = f"{found} share {host.shm_bytes / 2**20:.0f} MiB of /dev/shm"
        yield _row(
            "shared memory", status, text, "Start the container with `--shm-size 8g` or `--ipc host`.", "S2.2.3a"
        )


def _precision(needs: Needs, machine: Machine) -> Iterator[Row]:
    if not needs.precisions:
        return
    name, clause = "precision", "S3.2.2a"
    found = ", ".join(sorted(needs.precisions))
    gpus = machine.gpus.gpus
    if not gpus:
        failed = machine.gpus.has_device
        reason = "the GPU cannot be asked" if failed else "there is no GPU to ask"
        yield _row(name, Status.CANNOT_TELL, f"{found}; {reason}", clause=clause, is_failure=failed)
        return
    if any(gpu.capability is None for gpu in gpus):
        yield _row(
            name,
            Status.CANNOT_TELL,
            f"{found}; the driver does not say what the GPU can",
            clause=clause,
            is_failure=True,
        )
        return
    yield _precision_on(found, needs, min(gpus, key=lambda gpu: gpu.capability or ()))


def _precision_on(found: str, needs: Needs, gpu: Gpu) -> Row:
    capability = gpu.capability or ()
    clause = "S3.2.2a"
    if capability < _BFLOAT16 and "bfloat16" in needs.precisions:
        text = f"{found} on {gpu.name}, which has no bfloat16 units: it is emulated and slow"
        advice = "Use float16 with a GradScaler on GPUs before compute capability 8.0."
        if "float16" in needs.precisions:
            return _row("precision", Status.ATTENTION, text, advice, clause)
        return _row("precision", Status.WRONG, text, advice, clause)
    if capability < _BFLOAT16 and needs.precisions == {"tf32"}:
        return _row("precision", Status.ATTENTION, f"tf32 has no effect on {gpu.name}", "Use float16 autocast.", clause)
    if capability < _TENSOR_CORES:
        text = f"{found} on {gpu.name}, which has no tensor cores"
        return _row("precision", Status.ATTENTION, text, "It saves memory and little time.", clause)
    return _row("precision", Status.OK, f"{found} on {gpu.name}", clause=clause)


def _compile(machine: Machine) -> Row:
    old = [gpu.name for gpu in machine.gpus.gpus if gpu.capability is not None and gpu.capability < _TRITON]
    if old:
        text = f"torch.compile: Triton has no code for {', '.join(sorted(set(old)))}"
        return _row("torch.compile", Status.WRONG, text, "Run it without compiling, or on a newer GPU.")
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        return _row(
            "torch.compile", Status.WRONG, "torch.compile needs a C compiler, and none was found", "Install gcc."
        )
    return _row("torch.compile", Status.OK, "a C compiler is here")
