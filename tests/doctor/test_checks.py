"""Rows from made-up machines: right, wrong, and not known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dnnlint.doctor.checks import checklist
from dnnlint.doctor.checks.allocator import check_allocator
from dnnlint.doctor.compatibility import has_kernel_for, is_capability_served, is_driver_enough
from dnnlint.doctor.machine import (
    Disk,
    DiskSpeed,
    GpuAnswer,
    Host,
    Machine,
    PythonEnvironment,
    TorchAnswer,
    TorchBuild,
    parse_version,
)
from dnnlint.doctor.model import Row, Status, exit_code
from tests.doctor.fakes import GIB, GOOD_ANSWER, GOOD_HOST, GOOD_PYTHON, GOOD_TORCH, H100, T4, V100, answer_of, machine

OK, ATTENTION, WRONG, CANNOT_TELL = Status.OK, Status.ATTENTION, Status.WRONG, Status.CANNOT_TELL


def row(subject: Machine, name: str) -> Row:
    found = [row for row in checklist(subject) if row.name == name]
    assert len(found) == 1, [row.name for row in checklist(subject)]
    return found[0]


def test_good_machine() -> None:
    """Every row is ok."""
    rows = checklist(machine())
    assert {row.status for row in rows} == {OK}, [row for row in rows if row.status is not OK]
    assert exit_code(rows, fail_on_attention=True) == 0


def test_nothing_known() -> None:
    """Every row is there, and nothing is claimed."""
    rows = checklist(
        Machine(Host(), GpuAnswer(), PythonEnvironment("python", "", "", problem="no answer"), TorchBuild(), None)
    )
    names = {row.name for row in rows}
    assert names >= {row.name for row in checklist(machine())} - {"disk: working folder"}
    assert WRONG not in {row.status for row in rows}
    assert exit_code(rows, fail_on_attention=False) == 2


@pytest.mark.parametrize(
    ("subject", "name", "status", "text"),
    [
        (machine(GpuAnswer()), "model", ATTENTION, "no NVIDIA GPU found"),
        (machine(GpuAnswer(has_device=True, problem="ended with 9")), "model", CANNOT_TELL, "ended with 9"),
        (machine(GpuAnswer()), "compute capability", CANNOT_TELL, "there is no GPU"),
        (machine(answer_of(H100, replace(T4, index=1))), "model", ATTENTION, "1 x NVIDIA H100"),
        (machine(answer_of(replace(H100, memory_bytes=None))), "memory", CANNOT_TELL, "does not say"),
        (machine(answer_of(replace(T4, memory_bytes=6 * GIB))), "memory", ATTENTION, "6.0 GiB"),
        (machine(answer_of(H100, driver="470.82")), "driver", WRONG, "too old for PyTorch's CUDA 12.8"),
        (machine(answer_of(H100, driver="525.60.13")), "driver", OK, "525.60.13"),
        (machine(torch=TorchBuild("2.9.0+cpu", path="/t")), "PyTorch's CUDA", WRONG, "a build for CPUs"),
        (machine(torch=TorchBuild("2.9", hip="6.4", path="/t")), "PyTorch's CUDA", CANNOT_TELL, "ROCm 6.4"),
        (machine(answer_of(V100)), "compute capability", WRONG, "no kernels for Tesla V100"),
        (machine(answer_of(T4)), "compute capability", OK, "7.5, served"),
        (
            machine(torch_answer=TorchAnswer(False, "driver too old", 0)),
            "PyTorch sees the GPU",
            WRONG,
            "driver too old",
        ),
        (machine(torch_answer=TorchAnswer(problem="gave no answer")), "PyTorch sees the GPU", WRONG, "gave no answer"),
        (machine(torch_answer=None), "PyTorch sees the GPU", CANNOT_TELL, "not imported"),
        (machine(answer_of(H100, replace(H100, index=1))), "PyTorch sees the GPU", ATTENTION, "1 of 2"),
        (machine(torch=TorchBuild()), "PyTorch", ATTENTION, "not installed"),
        (machine(torch=TorchBuild("2.9", problem="its files are gone")), "PyTorch", WRONG, "its files are gone"),
        (machine(torch_answer=TorchAnswer(problem="undefined symbol")), "PyTorch", WRONG, "undefined symbol"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_gpu_and_software(subject: Machine, name: str, status: Status, text: str) -> None:
    """Driver, build and GPU against each other."""
    found = row(subject, name)
    assert found.status is status, found
    assert text in found.found


@pytest.mark.parametrize(
    ("change", "name", "status", "text"),
    [
        ({"cores": 8}, "CPU cores", ATTENTION, "8 of the machine's 32"),
        ({"cores": 9, "cores_of_machine": 9}, "CPU cores", OK, "9"),
        ({"cores": None}, "CPU cores", CANNOT_TELL, "not known"),
        ({"ram_bytes": 32 * GIB}, "RAM", ATTENTION, "the limit of this container or job"),
        ({"ram_bytes": 62 * GIB, "ram_of_machine_bytes": 62 * GIB}, "RAM", OK, "62 GiB"),
        ({"shm_bytes": 64 * 2**20}, "shared memory", WRONG, "bus error"),
        ({"shm_bytes": 512 * 2**20}, "shared memory", ATTENTION, "0.5 GiB"),
        ({"shm_bytes": None, "shm_problem": "No such file"}, "shared memory", CANNOT_TELL, "No such file"),
        ({"open_files": 1024}, "open files", ATTENTION, "at most 1024"),
        ({"network": ""}, "network", CANNOT_TELL, "no link speed"),
        ({"disks": (Disk("working folder", "/d", 5 * GIB),)}, "disk: working folder", WRONG, "5 GiB free"),
        ({"disks": (Disk("working folder", "/d", 50 * GIB),)}, "disk: working folder", ATTENTION, "50 GiB free"),
        ({"disks": (Disk("working folder", "/d", 500 * GIB, 10),)}, "disk: working folder", ATTENTION, "10 more files"),
        ({"disks": (Disk("working folder", "/d", None),)}, "disk: working folder", CANNOT_TELL, "cannot be read"),
        ({"container": ""}, "isolation", OK, "virtual environment"),
    ],
)
def test_host(change: dict[str, object], name: str, status: Status, text: str) -> None:
    """Each limit of the host."""
    found = row(machine(host=replace(GOOD_HOST, **change)), name)  # type: ignore[arg-type]  # fields by name
    assert found.status is status, found
    assert text in found.found


def test_system_python_without_container() -> None:
    """Nothing isolates it."""
    subject = machine(host=replace(GOOD_HOST, container=""), python=replace(GOOD_PYTHON, kind=""))
    assert row(subject, "isolation").status is ATTENTION


def test_hidden_gpus() -> None:
    """An empty CUDA_VISIBLE_DEVICES is named as the reason."""
    host = replace(GOOD_HOST, environment={"CUDA_VISIBLE_DEVICES": ""})
    found = row(machine(host=host, torch_answer=TorchAnswer(False)), "PyTorch sees the GPU")
    assert found.advice == "CUDA_VISIBLE_DEVICES hides every GPU: unset it."


@pytest.mark.parametrize(
    ("packages", "requirements", "text"),
    [
        (
            {"torch": "2.9.0", "torchvision": "0.22.0"},
            {"torchvision": ("torch==2.7.0",)},
            "torchvision 0.22.0 needs torch==2.7.0, 2.9.0 is installed",
        ),
        (
            {"onnxruntime": "1", "onnxruntime-gpu": "1"},
            {},
            "onnxruntime and onnxruntime-gpu replace each other's files",
        ),
        (
            {"nvidia-cudnn-cu12": "9", "nvidia-cudnn-cu13": "9"},
            {},
            "cudnn is installed for CUDA 12 and 13",
        ),
    ],
    ids=["requirement", "rivals", "two CUDA versions"],
)
def test_clashes(packages: dict[str, str], requirements: dict[str, tuple[str, ...]], text: str) -> None:
    """Each is named."""
    found = row(machine(python=replace(GOOD_PYTHON, packages=packages, requirements=requirements)), "versions")
    assert (found.status, found.found) == (WRONG, text)


@pytest.mark.parametrize(
    "requirement",
    [
        "torch>=2",
        "torch",
        "other==1",
        "torch==1; extra == 'old'",
        "torch==1; python_version < '3'",
        "not a requirement ===",
    ],
)
def test_no_clash(requirement: str) -> None:
    """Met, absent, of an extra, for another Python, or not readable."""
    subject = machine(python=replace(GOOD_PYTHON, requirements={"torch": (requirement,)}))
    assert row(subject, "versions").status is OK


@pytest.mark.parametrize(
    ("variables", "status"),
    [
        ({}, OK),
        ({"PYTORCH_ALLOC_CONF": "expandable_segments:True"}, OK),
        ({"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:128,garbage_collection_threshold:0.8"}, OK),
        ({"PYTORCH_CUDA_ALLOC_CONF": "backend:cudaMallocAsync"}, OK),
        ({"PYTORCH_ALLOC_CONF": "expandable_segment:True"}, WRONG),
        ({"PYTORCH_ALLOC_CONF": "max_split_size_mb:1"}, WRONG),
        ({"PYTORCH_ALLOC_CONF": "expandable_segments:True,max_split_size_mb:128"}, ATTENTION),
        (
            {"PYTORCH_ALLOC_CONF": "expandable_segments:True", "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:False"},
            ATTENTION,
        ),
    ],
    ids=str,
)
def test_allocator(variables: dict[str, str], status: Status) -> None:
    """What PyTorch would say of the variables."""
    assert check_allocator(variables).status is status


@pytest.mark.parametrize(
    ("speed", "status", "text"),
    [
        (DiskSpeed("/d", 2**29, 2e9, 3.5e9, "512 MiB"), OK, "write 2.00 GB/s, read 3.50 GB/s (/d; 512 MiB"),
        (DiskSpeed("/d", 2**29, 2e9, 0.5e9, "512 MiB"), ATTENTION, "read 0.50 GB/s"),
        (DiskSpeed("/d", 2**29, 2e9, None, "512 MiB"), CANNOT_TELL, "read not measured"),
        (DiskSpeed("/d", problem="Permission denied"), CANNOT_TELL, "Permission denied"),
    ],
)
def test_disk_speed(speed: DiskSpeed, status: Status, text: str) -> None:
    """3 GB/s, and how it was measured."""
    found = row(replace(machine(), disk_speed=speed), "disk speed")
    assert found.status is status
    assert text in found.found


def test_links() -> None:
    """NVLink, the way through the processor, and a topology that nobody told."""
    pair = (H100, replace(H100, index=1))
    fast, slow = ({(0, 1): "NV18"}, {(0, 1): "SYS"})
    assert row(machine(replace(answer_of(*pair), links=fast)), "links").status is OK
    assert row(machine(replace(answer_of(*pair), links=slow)), "links").status is ATTENTION
    assert row(machine(answer_of(*pair)), "links").found == "18 active NVLinks a GPU"
    bare = tuple(replace(gpu, nvlinks=None) for gpu in pair)
    assert row(machine(answer_of(*bare)), "links").status is CANNOT_TELL


@pytest.mark.parametrize(
    ("capability", "architectures", "served"),
    [
        ((8, 9), ("sm_86",), True),
        ((8, 6), ("sm_89",), False),
        ((9, 0), ("sm_86",), False),
        ((9, 0), ("sm_86", "compute_80"), True),
        ((9, 0), ("sm_90a",), True),
        ((9, 1), ("sm_90a",), False),
        ((12, 0), ("sm_120",), True),
        ((7, 0), (), False),
        ((7, 0), ("gfx90a", "sm_"), False),
    ],
)
def test_kernels(capability: tuple[int, int], architectures: tuple[str, ...], served: bool) -> None:
    """Machine code within a major version, PTX upwards."""
    assert has_kernel_for(capability, architectures) is served


@pytest.mark.parametrize(
    ("capability", "cuda", "served"),
    [
        ((7, 0), "13.0", False),
        ((7, 0), "12.8", True),
        ((9, 0), "11.7", False),
        ((9, 0), "11.8", True),
        ((10, 0), "12.6", False),
        ((12, 0), "12.8", True),
        ((7, 5), "13.0", True),
        ((9, 0), "99.0", None),
        ((9, 0), "", None),
    ],
)
def test_cuda_knows_gpu(capability: tuple[int, int], cuda: str, served: bool | None) -> None:
    """What each CUDA dropped and introduced; no guess for one that is not in the table."""
    assert is_capability_served(capability, cuda) is served


def test_driver_for_cuda() -> None:
    """Minor versions are compatible; an unknown major one is not judged."""
    assert is_driver_enough("535.104", "12.8") is True
    assert is_driver_enough("535.104", "13.0") is False
    assert is_driver_enough("999", "99.0") is None
    assert is_driver_enough("", "12.8") is None


def test_versions() -> None:
    """Only leading numbers count."""
    assert parse_version("2.9.0+cu128") == (2, 9, 0)
    assert parse_version("12.8rc1.3") == (12, 8)
    assert parse_version("unknown") == ()


def test_exit_codes() -> None:
    """Wrong is 1; a probe that failed is 2; attention is 0 unless asked for."""
    ok, attention, wrong = (Row("t", "n", status, "") for status in (OK, ATTENTION, WRONG))
    failed = Row("t", "n", CANNOT_TELL, "", is_failure=True)
    absent = Row("t", "n", CANNOT_TELL, "")
    assert exit_code([ok, attention, absent], fail_on_attention=False) == 0
    assert exit_code([ok, attention], fail_on_attention=True) == 1
    assert exit_code([failed, wrong], fail_on_attention=False) == 1
    assert exit_code([ok, failed], fail_on_attention=False) == 2


def test_wheel_for_another_gpu() -> None:
    """Without PyTorch's own list of architectures the version of CUDA decides."""
    subject = machine(answer_of(V100), torch=replace(GOOD_TORCH, cuda="13.0"), torch_answer=None)
    assert row(subject, "compute capability").status is WRONG
    told = replace(GOOD_ANSWER, architectures=("sm_70",))
    assert row(replace(subject, torch_answer=told), "compute capability").status is OK
