"""Machines that tests make up, and fake programs and packages that lie in their way."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from dnnlint.doctor.machine import (
    Disk,
    Gpu,
    GpuAnswer,
    Host,
    Machine,
    PythonEnvironment,
    TorchAnswer,
    TorchBuild,
)

GIB = 2**30
H100 = Gpu(0, "NVIDIA H100 80GB HBM3", 80 * GIB, (9, 0), 18)
V100 = Gpu(0, "Tesla V100-SXM2-32GB", 32 * GIB, (7, 0), 6)
T4 = Gpu(0, "Tesla T4", 15 * GIB, (7, 5))
GOOD_HOST = Host(
    cores=32,
    cores_of_machine=32,
    ram_bytes=256 * GIB,
    ram_of_machine_bytes=256 * GIB,
    shm_bytes=64 * GIB,
    open_files=65536,
    container="Docker",
    network="InfiniBand or RoCE: 400 Gb/sec (4X NDR)",
    disks=(Disk("working folder", "/data", 2000 * GIB, 10**8),),
)
GOOD_PYTHON = PythonEnvironment("/venv/bin/python", "3.12.4", "virtual environment", {"torch": "2.9.0"})
GOOD_TORCH = TorchBuild("2.9.0+cu128", "12.8", "", "/venv/torch")
GOOD_ANSWER = TorchAnswer(True, "", 1, ("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120", "compute_120"), "91002")


def answer_of(*gpus: Gpu, driver: str = "570.86.15", cuda: str = "12.8") -> GpuAnswer:
    return GpuAnswer("NVML", gpus, driver, cuda, has_device=True)


def machine(
    gpus: GpuAnswer | None = None,
    host: Host = GOOD_HOST,
    python: PythonEnvironment = GOOD_PYTHON,
    torch: TorchBuild = GOOD_TORCH,
    torch_answer: TorchAnswer | None = GOOD_ANSWER,
) -> Machine:
    return Machine(host, answer_of(H100) if gpus is None else gpus, python, torch, torch_answer)


def program(folder: Path, name: str, script: str) -> Path:
    """Put an executable shell script into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return path


def package(
    folder: Path, name: str, files: Mapping[str, str], version: str = "", requires: tuple[str, ...] = ()
) -> None:
    """Put a package and its metadata into a folder of packages."""
    for file, text in files.items():
        path = folder / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if version:
        info = folder / f"{name}-{version}.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        lines = [
            "Metadata-Version: 2.1",
            f"Name: {name}",
            f"Version: {version}",
            *(f"Requires-Dist: {r}" for r in requires),
        ]
        (info / "METADATA").write_text("\n".join(lines) + "\n")


def environment(**variables: str) -> dict[str, str]:
    """Variables of a process that sees no active environment."""
    kept = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    return {**kept, "PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin", **variables}
