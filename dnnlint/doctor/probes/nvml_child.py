"""Asks NVML and prints JSON; runs in a process of its own, because a broken library can hang or crash it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pynvml as nvml


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _ask(function: Callable[..., Any], *arguments: object) -> Any:
    try:
        return function(*arguments)
    except Exception:
        return None


def _links(handle: object) -> int | None:
    most = getattr(nvml, "NVML_NVLINK_MAX_LINKS", 18)
    states = [_ask(nvml.nvmlDeviceGetNvLinkState, handle, link) for link in range(most)]
    known = [state for state in states if state is not None]
    return sum(state == 1 for state in known) if known else None


def main() -> None:
    """Print one object."""
    nvml.nvmlInit()
    gpus = []
    for index in range(nvml.nvmlDeviceGetCount()):
        handle = nvml.nvmlDeviceGetHandleByIndex(index)
        memory = _ask(nvml.nvmlDeviceGetMemoryInfo, handle)
        gpus.append(
            {
                "index": index,
                "name": _text(nvml.nvmlDeviceGetName(handle)),
                "memory_bytes": int(memory.total) if memory else None,
                "capability": _ask(nvml.nvmlDeviceGetCudaComputeCapability, handle),
                "nvlinks": _links(handle),
            }
        )
    cuda = _ask(nvml.nvmlSystemGetCudaDriverVersion_v2)
    print(
        json.dumps(
            {
                "driver": _text(nvml.nvmlSystemGetDriverVersion()),
                "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}" if cuda else "",
                "gpus": gpus,
            }
        )
    )


main()
