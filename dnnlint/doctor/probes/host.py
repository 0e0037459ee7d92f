"""Processor, memory, shared memory, disks, network and container, as the process sees them."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import tempfile
from collections.abc import Iterator

from dnnlint.doctor.machine import Disk, Host

_SETTINGS = (
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
    "TF_FORCE_GPU_ALLOW_GROWTH",
)
_CACHES = (("HF_HOME", "~/.cache/huggingface"), ("TORCH_HOME", "~/.cache/torch"))
_NO_LIMIT = 2**60


def find_host(folder: str) -> Host:
    """Look at this machine; ``folder`` is where training will run."""
    shm, shm_problem = _shm()
    machine_ram = _machine_ram()
    limit = _cgroup_memory()
    return Host(
        cores=_cores(),
        cores_of_machine=os.cpu_count(),
        ram_bytes=min(machine_ram, limit) if machine_ram and limit else machine_ram or limit,
        ram_of_machine_bytes=machine_ram,
        shm_bytes=shm,
        shm_problem=shm_problem,
        open_files=_open_files(),
        container=_container(),
        network=_network(),
        disks=tuple(_disks(folder)),
        environment={name: os.environ[name] for name in _SETTINGS if name in os.environ},
    )


def _cores() -> int | None:
    """Cores that this process may use: its affinity, and the quota of the container."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count()
    quota = _cgroup_cores()
    return max(1, int(min(cores, quota))) if cores and quota else cores


def _cgroup_cores() -> float | None:
    words = _read("/sys/fs/cgroup/cpu.max").split()
    if len(words) != 2:
        words = [_read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), _read("/sys/fs/cgroup/cpu/cpu.cfs_period_us")]
    try:
        quota = float(words[0]) / float(words[1])
    except (ValueError, ZeroDivisionError):
        return None
    return quota if quota > 0 else None


def _machine_ram() -> int | None:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1]) * 1024
    with contextlib.suppress(ValueError, OSError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None


def _cgroup_memory() -> int | None:
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        text = _read(path).strip()
        if text.isdigit() and int(text) < _NO_LIMIT:
            return int(text)
    return None


def _shm() -> tuple[int | None, str]:
    try:
        state = os.statvfs("/dev/shm")
    except (OSError, AttributeError) as error:
        return None, str(getattr(error, "strerror", "") or error)
    return state.f_blocks * state.f_frsize, "" if os.access("/dev/shm", os.W_OK) else "not writable"


def _open_files() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else None


def _container() -> str:
    if os.path.exists("/.dockerenv"):
        return "Docker"
    if os.path.exists("/run/.containerenv"):
        return "Podman"
    for name, variable in (("Kubernetes", "KUBERNETES_SERVICE_HOST"), ("Apptainer", "APPTAINER_CONTAINER"),
                           ("Singularity", "SINGULARITY_CONTAINER")):  # fmt: skip
        if os.environ.get(variable):
            return name
    control = _read("/proc/1/cgroup") + _read("/proc/1/environ")
    return next((name for name in ("docker", "kubepods", "containerd", "lxc") if name in control), "")


def _network() -> str:
    """The fastest link between machines that the kernel shows."""
    rates = [_read(path).strip() for path in glob.glob("/sys/class/infiniband/*/ports/*/rate")]
    if rates:
        return f"InfiniBand or RoCE: {', '.join(sorted(set(rates)))}"
    speeds = {}
    for path in glob.glob("/sys/class/net/*/speed"):
        text = _read(path).strip()
        if text.isdigit() and int(text) > 0:
            speeds[path.split("/")[-2]] = int(text)
    if not speeds:
        return ""
    name = max(speeds, key=lambda name: speeds[name])
    return f"Ethernet {name}: {speeds[name] / 1000:g} Gbit/s"


def _disks(folder: str) -> Iterator[Disk]:
    """Where the run writes; places on one file system are shown once."""
    places = [("working folder", folder), ("temporary files", tempfile.gettempdir())]
    places += [(f"cache ({name})", os.environ.get(name) or os.path.expanduser(default)) for name, default in _CACHES]
    seen: set[int] = set()
    for purpose, path in places:
        while path and not os.path.exists(path) and os.path.dirname(path) != path:
            path = os.path.dirname(path)
        try:
            device = os.stat(path).st_dev
            free = shutil.disk_usage(path).free
        except OSError:
            if purpose == "working folder":
                yield Disk(purpose, path, None)
            continue
        if device not in seen:
            seen.add(device)
            yield Disk(purpose, path, free, _free_inodes(path))


def _free_inodes(path: str) -> int | None:
    try:
        state = os.statvfs(path)
    except (OSError, AttributeError):
        return None
    return state.f_favail if state.f_files else None


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(65_536)
    except OSError:
        return ""
