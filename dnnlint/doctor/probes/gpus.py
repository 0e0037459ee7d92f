"""The GPUs: through NVML in a child process, or from nvidia-smi, or from what the kernel shows."""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from dnnlint.doctor.machine import Gpu, GpuAnswer, parse_version
from dnnlint.doctor.probes.children import Answer, ask_script
from dnnlint.doctor.probes.commands import Outcome, run_limited

_QUERY = "index,name,memory.total,driver_version,compute_cap"
_OLD_QUERY = "index,name,memory.total,driver_version"
_CUDA = re.compile(r"CUDA(?: \w+)? Version\s*:\s*(\d+\.\d+)")
_LINK = re.compile(r"^(NV\d+|PIX|PXB|PHB|NODE|SYS|X)$")
_DEVICES = ("/dev/nvidiactl", "/dev/nvidia[0-9]*", "/dev/dxg", "/proc/driver/nvidia/version")
_PCI = "/sys/bus/pci/devices/*/vendor"
_NVIDIA_VENDOR, _DISPLAY_CLASS = "0x10de", "0x03"
# Without a device the driver can only fail, so nothing is worth a long wait.
_QUICK_S = 1.0


def find_gpus(timeout_s: float) -> GpuAnswer:
    """Ask NVML and nvidia-smi at once; NVML is believed first, since it is what other tools are built on."""
    has_device = _has_device()
    limit = timeout_s if has_device else min(timeout_s, _QUICK_S)
    smi = shutil.which("nvidia-smi") or ""
    with ThreadPoolExecutor(4) as pool:
        nvml = pool.submit(ask_script, sys.executable, "nvml_child.py", limit)
        query = pool.submit(_query, smi, limit)
        banner = pool.submit(_smi, smi, limit)
        topology = pool.submit(_smi, smi, limit, "topo", "-m")
        answers = nvml.result(), query.result(), banner.result(), topology.result()
    return combine(*answers, has_device=has_device)


def combine(nvml: Answer, query: Outcome, banner: Outcome, topology: Outcome, *, has_device: bool) -> GpuAnswer:
    """One answer from all of them."""
    links = parse_topology(topology.out)
    match = _CUDA.search(banner.out)
    gpus = read_nvml(nvml.values)
    if gpus:
        driver, cuda = str(nvml.values.get("driver", "")), str(nvml.values.get("cuda", ""))
        return GpuAnswer("NVML", gpus, driver, cuda, links, True)
    gpus, driver = parse_query(query.out)
    if gpus:
        return GpuAnswer("nvidia-smi", gpus, driver, match[1] if match else "", links, True)
    problem = query.problem or "nvidia-smi lists no GPU"
    if nvml.problem and "No module named" not in nvml.problem:
        problem = f"{problem}; NVML: {_last_words(nvml.problem)}"
    return GpuAnswer(has_device=has_device, driver=_kernel_driver(), problem=problem)


def _last_words(problem: str) -> str:
    return problem.rpartition("pynvml.")[2] or problem


def _smi(smi: str, limit_s: float, *arguments: str) -> Outcome:
    return run_limited([smi, *arguments], limit_s) if smi else Outcome(problem="there is no nvidia-smi")


def _query(smi: str, limit_s: float) -> Outcome:
    outcome = _smi(smi, limit_s, f"--query-gpu={_QUERY}", "--format=csv,noheader,nounits")
    if "compute_cap" in outcome.out + outcome.problem:  # drivers before 470 do not know this field
        return _smi(smi, limit_s, f"--query-gpu={_OLD_QUERY}", "--format=csv,noheader,nounits")
    return outcome


def read_nvml(values: Mapping[str, object]) -> tuple[Gpu, ...]:
    """The GPUs of the answer of NVML."""
    entries = values.get("gpus")
    return tuple(_gpu(entry) for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()


def _gpu(entry: Mapping[str, object]) -> Gpu:
    capability, memory, links = entry.get("capability"), entry.get("memory_bytes"), entry.get("nvlinks")
    return Gpu(
        int(str(entry["index"])),
        str(entry["name"]),
        memory if isinstance(memory, int) else None,
        tuple(capability) if isinstance(capability, list) else None,
        links if isinstance(links, int) else None,
    )


def parse_query(text: str) -> tuple[tuple[Gpu, ...], str]:
    """The GPUs in a CSV of nvidia-smi, and the driver; lines that are none, such as warnings, are left out."""
    gpus, driver = [], ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) < 4 or not cells[0].isdigit():
            continue
        memory = float(cells[2]) if re.fullmatch(r"\d+(\.\d+)?", cells[2]) else None
        capability = parse_version(cells[4]) if len(cells) > 4 else ()
        driver = cells[3] if re.match(r"\d", cells[3]) else driver
        gpus.append(Gpu(int(cells[0]), cells[1], int(memory * 2**20) if memory else None, capability or None))
    return tuple(gpus), driver


def parse_topology(text: str) -> dict[tuple[int, int], str]:
    """The matrix of ``nvidia-smi topo -m`` as pairs of GPUs."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    rows = [line.split() for line in plain.splitlines()]
    heading = next((row for row in rows if row and row[0] == "GPU0" and row[-1] != "X" and "X" not in row[:3]), [])
    columns = [name for name in heading if re.fullmatch(r"GPU\d+", name)]
    links: dict[tuple[int, int], str] = {}
    for row in rows:
        if row is heading or not row or row[0] not in columns:
            continue
        first = int(row[0][3:])
        for name, cell in zip(columns, row[1:], strict=False):
            second = int(name[3:])
            if first < second and _LINK.match(cell) and cell != "X":
                links[first, second] = cell
    return links


def _has_device() -> bool:
    return any(glob.glob(pattern) for pattern in _DEVICES) or any(map(_is_nvidia_display, glob.glob(_PCI)))


def _is_nvidia_display(path: str) -> bool:
    folder = os.path.dirname(path)
    return _first_line(path) == _NVIDIA_VENDOR and _first_line(f"{folder}/class").startswith(_DISPLAY_CLASS)


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def _kernel_driver() -> str:
    match = re.search(r"\s(\d{3}\.\d+(?:\.\d+)?)\s", _first_line("/proc/driver/nvidia/version"))
    return match[1] if match else ""
