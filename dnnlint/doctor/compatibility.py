"""Which driver and which GPU a CUDA build needs.

Drivers: table "CUDA Toolkit and Minimum Required Driver Version for CUDA Minor Version Compatibility" of the release
notes, Linux; https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/. Compute capabilities: the same notes (what each
major version dropped) and the CUDA programming guide (what each version introduced). As of 2026-11.
"""

from __future__ import annotations

from dnnlint.doctor.machine import Version, parse_version

_MINIMUM_DRIVER = {11: "450.80.02", 12: "525.60.13", 13: "580"}
_OLDEST_CAPABILITY: dict[int, Version] = {11: (3, 5), 12: (5, 0), 13: (7, 5)}
_FIRST_CUDA: dict[Version, Version] = {(8, 0): (11, 0), (9, 0): (11, 8), (10, 0): (12, 8), (12, 0): (12, 8)}


def minimum_driver(cuda: str) -> str:
    """The oldest driver that runs programs built with a version of CUDA, empty where that is not known."""
    version = parse_version(cuda)
    return _MINIMUM_DRIVER.get(version[0], "") if version else ""


def is_driver_enough(driver: str, cuda: str) -> bool | None:
    """Whether a driver runs programs built with a version of CUDA; None where that is not known."""
    needed = minimum_driver(cuda)
    if not needed or not parse_version(driver):
        return None
    return parse_version(driver) >= parse_version(needed)


def is_capability_served(capability: Version, cuda: str) -> bool | None:
    """Whether a version of CUDA knows a GPU at all; a build may leave GPUs out that its CUDA knows."""
    version = parse_version(cuda)
    oldest = _OLDEST_CAPABILITY.get(version[0]) if version else None
    if oldest is None:
        return None
    if capability < oldest:
        return False
    needed = max((cuda for known, cuda in _FIRST_CUDA.items() if known <= capability), default=(0,))
    return version[:2] >= needed


def has_kernel_for(capability: Version, architectures: tuple[str, ...]) -> bool:
    """Whether a build has machine code for a GPU, or intermediate code (PTX) that its driver can translate.

    Machine code runs on GPUs of the same major version and an equal or higher minor one.
    """
    for architecture in architectures:
        kind, _, digits = architecture.partition("_")
        number = digits.rstrip("abcdefghijklmnopqrstuvwxyz")
        if not number.isdigit() or len(number) < 2:
            continue
        built = (int(number[:-1]), int(number[-1]))
        is_exact = digits != number  # sm_90a runs on 9.0 alone
        if kind == "sm" and built[0] == capability[0] and built[1] <= capability[1]:
            if not is_exact or built == capability:
                return True
        elif kind == "compute" and built <= capability:
            return True
    return False
