"""What the probes found out about a machine; None and empty texts stand for what is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gpu:
    """One NVIDIA GPU."""

    index: int
    name: str
    memory_bytes: int | None = None
    capability: Version | None = None
    nvlinks: int | None = None
    """Active links to other GPUs."""


@dataclass(frozen=True, slots=True)
class GpuAnswer:
    """What NVML or nvidia-smi said; ``problem`` is why neither did."""

    source: str = ""
    gpus: tuple[Gpu, ...] = ()
    driver: str = ""
    cuda: str = ""
    """The newest CUDA that the driver supports."""
    links: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """How two GPUs are connected: ``NV4``, ``PIX``, ``SYS``, ..."""
    has_device: bool = False
    """Whether the system shows an NVIDIA device at all."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TorchBuild:
    """PyTorch as its files describe it, without importing it."""

    version: str = ""
    cuda: str = ""
    hip: str = ""
    path: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TorchAnswer:
    """What PyTorch says of itself in a process of its own; ``problem`` is why it says nothing."""

    cuda_available: bool | None = None
    cuda_error: str = ""
    device_count: int = 0
    architectures: tuple[str, ...] = ()
    cudnn: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """An interpreter and what is installed for it: versions by normalised name."""

    executable: str
    version: str
    kind: str
    """``virtual environment``, ``conda environment`` or empty for the system's."""
    packages: Mapping[str, str] = field(default_factory=dict)
    duplicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    requirements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    search_path: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Disk:
    """A place that training writes to or reads from."""

    purpose: str
    path: str
    free_bytes: int | None
    free_inodes: int | None = None


@dataclass(frozen=True, slots=True)
class DiskSpeed:
    """A measurement of ``--disk``, and what can have made it look better than it is."""

    path: str
    size_bytes: int = 0
    write_bytes_per_s: float | None = None
    read_bytes_per_s: float | None = None
    method: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Host:
    """Processor, memory and disks, with the limits of the container or job."""

    cores: int | None = None
    cores_of_machine: int | None = None
    ram_bytes: int | None = None
    ram_of_machine_bytes: int | None = None
    shm_bytes: int | None = None
    shm_problem: str = ""
    open_files: int | None = None
    container: str = ""
    network: str = ""
    disks: tuple[Disk, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Machine:
    """Everything that the checks are about."""

    host: Host
    gpus: GpuAnswer
    python: PythonEnvironment
    torch: TorchBuild
    torch_answer: TorchAnswer | None = None
    """None where PyTorch was not asked: it is not installed, or the user said so."""
    disk_speed: DiskSpeed | None = None


def parse_version(text: str) -> Version:
    """The leading numbers of a version: ``12.8`` and ``12.8.1+x`` give (12, 8) and (12, 8, 1)."""
    numbers: list[int] = []
    for part in text.split("+")[0].split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)
