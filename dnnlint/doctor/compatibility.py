"""Which driver and which GPU a CUDA build needs, from the tables in ``dnnlint.knowledge``."""

from __future__ import annotations

from dnnlint.doctor.machine import Version, parse_version
from dnnlint.knowledge.releases import can_run, cuda_release


def minimum_driver(cuda: str) -> str:
    """The oldest driver that runs programs built with a version of CUDA, empty where that is not known."""
    build = cuda_release(cuda) if cuda else None
    return build.driver if build else ""


def is_driver_enough(driver: str, cuda: str) -> bool | None:
    """Whether a driver runs programs built with a version of CUDA; None where that is not known."""
    needed = minimum_driver(cuda)
    if not needed or not parse_version(driver):
        return None
    return parse_version(driver) >= parse_version(needed)


def is_capability_served(capability: Version, cuda: str) -> bool | None:
    """Whether a version of CUDA knows a GPU at all; a build may leave GPUs out that its CUDA knows."""
    build = cuda_release(cuda) if cuda else None
    return None if build is None else can_run(build, (capability[0], capability[1]))


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
