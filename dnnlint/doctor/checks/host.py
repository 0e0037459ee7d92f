"""Rows about processor, memory, shared memory, disks and network."""

from __future__ import annotations

from collections.abc import Iterator

from dnnlint.doctor.machine import Disk, DiskSpeed, Host, Machine
from dnnlint.doctor.model import Row, Status

_TOPIC = "host"
GIB = 2**30
_LEAST_RAM, _LARGE_RAM = 64 * GIB, 128 * GIB
_LITTLE_DISK, _GOOD_DISK = 10 * GIB, 100 * GIB
# What firmware and kernel keep from a machine with 64 GB of memory.
_SHORTFALL = 0.92
DOCKER_SHM = 64 * 2**20
_NVME_BYTES_PER_S = 3e9
_FEW_WORKERS, _MANY_WORKERS = 8, 16
_FEW_FILES = 4096
_FEW_INODES = 100_000


def check_host(machine: Machine) -> Iterator[Row]:
    """Everything but the GPU."""
    host = machine.host
    yield _cores(host, len(machine.gpus.gpus))
    yield _ram(host)
    yield _shm(host)
    yield _files(host)
    for disk in host.disks:
        yield _disk(disk)
    if machine.disk_speed is not None:
        yield _speed(machine.disk_speed)
    yield _network(host)


def _cores(host: Host, gpus: int) -> Row:
    if host.cores is None:
        return Row(_TOPIC, "CPU cores", Status.CANNOT_TELL, "not known", clause="S3.1.1a", is_failure=True)
    each = host.cores // max(1, gpus)
    found = str(host.cores)
    if host.cores_of_machine and host.cores_of_machine > host.cores:
        found += f" of the machine's {host.cores_of_machine}"
    found += f", {each} for each of {gpus} GPUs" if gpus > 1 else ""
    workers = max(1, min(_MANY_WORKERS, each - 1))
    if workers < _FEW_WORKERS:
        advice = (
            f"Set `num_workers` to at most {workers}, below the {_FEW_WORKERS} to {_MANY_WORKERS} that feed a fast GPU."
        )
        return Row(_TOPIC, "CPU cores", Status.ATTENTION, found, advice, "S3.1.1a")
    return Row(_TOPIC, "CPU cores", Status.OK, found, f"`num_workers` up to {workers}.", "S3.1.1a")


def _ram(host: Host) -> Row:
    if host.ram_bytes is None:
        return Row(_TOPIC, "RAM", Status.CANNOT_TELL, "not known", clause="S2.1.2b", is_failure=True)
    found = f"{host.ram_bytes / GIB:.0f} GiB"
    if host.ram_of_machine_bytes and host.ram_of_machine_bytes > host.ram_bytes:
        found += f", the limit of this container or job; the machine has {host.ram_of_machine_bytes / GIB:.0f} GiB"
    if host.ram_bytes < _LEAST_RAM * _SHORTFALL:
        advice = "Below 64 GB: fewer workers, a smaller `prefetch_factor`, and no data set that is read into memory."
        return Row(_TOPIC, "RAM", Status.ATTENTION, found, advice, "S2.1.2b")
    if host.ram_bytes < _LARGE_RAM * _SHORTFALL:
        return Row(_TOPIC, "RAM", Status.OK, found, "Pre-training on large data wants 128 GB.", "S2.1.2b")
    return Row(_TOPIC, "RAM", Status.OK, found, clause="S2.1.2b")


def _shm(host: Host) -> Row:
    if host.shm_bytes is None or host.shm_problem:
        found = f"/dev/shm: {host.shm_problem or 'not known'}"
        advice = "DataLoader workers hand batches over through it; on systems without it this does not matter."
        return Row(_TOPIC, "shared memory", Status.CANNOT_TELL, found, advice, "S2.2.3a")
    found = f"/dev/shm {host.shm_bytes / GIB:.2g} GiB"
    advice = (
        "Start the container with `--shm-size 8g` or `--ipc host`; in Kubernetes mount a memory volume at /dev/shm."
    )
    if host.shm_bytes <= DOCKER_SHM:
        text = f"{found}: DataLoader workers die with a bus error when it is full"
        return Row(_TOPIC, "shared memory", Status.WRONG, text, advice, "S2.2.3a")
    if host.shm_bytes < GIB:
        return Row(_TOPIC, "shared memory", Status.ATTENTION, found, advice, "S2.2.3a")
    return Row(_TOPIC, "shared memory", Status.OK, found, clause="S2.2.3a")


def _files(host: Host) -> Row:
    if host.open_files is None:
        return Row(_TOPIC, "open files", Status.OK, "no limit")
    if host.open_files < _FEW_FILES:
        advice = '`ulimit -n 65536` before the start, if workers fail with "Too many open files".'
        return Row(_TOPIC, "open files", Status.ATTENTION, f"at most {host.open_files}", advice)
    return Row(_TOPIC, "open files", Status.OK, f"at most {host.open_files}")


def _disk(disk: Disk) -> Row:
    name = f"disk: {disk.purpose}"
    if disk.free_bytes is None:
        return Row(_TOPIC, name, Status.CANNOT_TELL, f"{disk.path} cannot be read", clause="S2.1.3", is_failure=True)
    found = f"{disk.free_bytes / GIB:.0f} GiB free ({disk.path})"
    advice = "A checkpoint with AdamW takes 12 bytes a parameter; the specification plans 1 TB a node for them."
    if disk.free_inodes is not None and disk.free_inodes < _FEW_INODES:
        text = f"{found}, room for {disk.free_inodes} more files"
        return Row(_TOPIC, name, Status.ATTENTION, text, "Keep samples in few large files.", "S2.1.3")
    if disk.free_bytes < _LITTLE_DISK and disk.purpose == "working folder":
        return Row(_TOPIC, name, Status.WRONG, found, advice, "S2.1.3")
    if disk.free_bytes < _GOOD_DISK:
        return Row(_TOPIC, name, Status.ATTENTION, found, advice, "S2.1.3")
    return Row(_TOPIC, name, Status.OK, found, clause="S2.1.3")


def _speed(speed: DiskSpeed) -> Row:
    if speed.problem or speed.write_bytes_per_s is None:
        found = f"{speed.path}: {speed.problem}"
        return Row(_TOPIC, "disk speed", Status.CANNOT_TELL, found, clause="S2.1.3", is_failure=True)
    read = speed.read_bytes_per_s
    rates = f"write {speed.write_bytes_per_s / 1e9:.2f} GB/s, read " + (
        f"{read / 1e9:.2f} GB/s" if read else "not measured"
    )
    found = f"{rates} ({speed.path}; {speed.method}; the disk's own cache and a network's may hold it)"
    if read is None:
        return Row(_TOPIC, "disk speed", Status.CANNOT_TELL, found, clause="S2.1.3", is_failure=True)
    if read < _NVME_BYTES_PER_S:
        advice = "Below 3 GB/s: copy the data to a local NVMe disk, or keep it in large files that are read in order."
        return Row(_TOPIC, "disk speed", Status.ATTENTION, found, advice, "S2.1.3")
    return Row(_TOPIC, "disk speed", Status.OK, found, clause="S2.1.3")


def _network(host: Host) -> Row:
    if not host.network:
        advice = "Matters for several nodes: measure with iperf3, and RDMA with ib_write_bw."
        return Row(_TOPIC, "network", Status.CANNOT_TELL, "the kernel shows no link speed", advice, "S4.1.3")
    return Row(_TOPIC, "network", Status.OK, host.network, clause="S4.1.3")
