"""Rows about the GPUs and the links between them."""

from __future__ import annotations

from collections.abc import Iterator

from dnnlint.doctor.machine import GpuAnswer, Machine
from dnnlint.doctor.model import Row, Status

_TOPIC = "GPU"
_SLOW_LINKS = ("SYS", "NODE", "PHB")
_SMALL_BYTES = 8e9


def check_gpus(machine: Machine) -> Iterator[Row]:
    """Model, memory and links."""
    answer = machine.gpus
    if answer.gpus:
        yield _model(answer)
        yield _memory(answer)
        yield _links(answer)
        return
    if answer.has_device:
        advice = "Run `nvidia-smi`; after an update of the driver restart the machine or reload the kernel module."
        found = f"an NVIDIA device is here and cannot be asked: {answer.problem}"
        yield Row(_TOPIC, "model", Status.CANNOT_TELL, found, advice, is_failure=True)
    else:
        found, advice = "no NVIDIA GPU found", "Training will run on the CPU."
        if machine.host.container:
            advice = "If the host has GPUs, start the container with `--gpus all` or a device reservation."
        yield Row(_TOPIC, "model", Status.ATTENTION, found, advice)
    reason = "there is no GPU to ask" if not answer.has_device else "the GPU cannot be asked"
    for name, clause in (("memory", "S2.1.1"), ("links", "S2.1.4")):
        yield Row(_TOPIC, name, Status.CANNOT_TELL, reason, clause=clause)


def _model(answer: GpuAnswer) -> Row:
    names = sorted({gpu.name for gpu in answer.gpus})
    found = ", ".join(f"{sum(gpu.name == name for gpu in answer.gpus)} x {name}" for name in names)
    found = f"{found} (asked through {answer.source})"
    if len(names) > 1:
        advice = "Data parallel training runs at the speed of the slowest GPU: choose with CUDA_VISIBLE_DEVICES."
        return Row(_TOPIC, "model", Status.ATTENTION, found, advice)
    return Row(_TOPIC, "model", Status.OK, found)


def _memory(answer: GpuAnswer) -> Row:
    sizes = [gpu.memory_bytes for gpu in answer.gpus if gpu.memory_bytes]
    if not sizes:
        advice = "MIG instances and some virtual GPUs do not tell; give --gpu-memory to `dnnlint estimate`."
        return Row(_TOPIC, "memory", Status.CANNOT_TELL, "the driver does not say", advice, "S2.1.1", is_failure=True)
    each = (
        f"{min(sizes) / 2**30:.1f}"
        if min(sizes) == max(sizes)
        else f"{min(sizes) / 2**30:.1f} to {max(sizes) / 2**30:.1f}"
    )
    found = f"{each} GiB each" if len(sizes) > 1 else f"{each} GiB"
    advice = f"`dnnlint estimate train.py --gpu-memory {min(sizes) / 2**30:.1f}GiB` says what fits."
    status = Status.OK if min(sizes) >= _SMALL_BYTES else Status.ATTENTION
    return Row(_TOPIC, "memory", status, found, advice, "S2.1.1")


def _links(answer: GpuAnswer) -> Row:
    if len(answer.gpus) == 1:
        return Row(_TOPIC, "links", Status.OK, "one GPU, no links needed", clause="S2.1.4")
    if answer.links:
        kinds = sorted(set(answer.links.values()))
        slow = sorted({kind for kind in kinds if kind in _SLOW_LINKS})
        found = f"between {len(answer.gpus)} GPUs: {', '.join(kinds)}"
        if slow:
            advice = f"{', '.join(slow)} goes through the processor: bind processes with `nvidia-smi topo -m` in mind."
            return Row(_TOPIC, "links", Status.ATTENTION, found, advice, "S2.1.4")
        return Row(_TOPIC, "links", Status.OK, found, clause="S2.1.4")
    links = [gpu.nvlinks for gpu in answer.gpus if gpu.nvlinks is not None]
    if links and min(links) > 0:
        return Row(_TOPIC, "links", Status.OK, f"{min(links)} active NVLinks a GPU", clause="S2.1.4")
    advice = "Run `nvidia-smi topo -m`."
    return Row(_TOPIC, "links", Status.CANNOT_TELL, "the topology is not known", advice, "S2.1.4", is_failure=True)
