"""What a GPU log may hold, under which names tools write it, and in which unit."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

MIB = float(2**20)

UTILISATION = "utilisation"
MEMORY_USED = "memory_used"
MEMORY_FREE = "memory_free"
MEMORY_TOTAL = "memory_total"
TEMPERATURE = "temperature"
TEMPERATURE_MARGIN = "temperature_margin"
POWER = "power"
THROTTLED = "throttled"
XID = "xid"

TIME, GPU, NAME, DATE = "time", "gpu", "name", "date"
"""Columns that say when and for which GPU, instead of a measured value."""


class Meaning(NamedTuple):
    """What a column holds; values times ``scale`` are percent, bytes, degrees Celsius or watts."""

    column: str
    scale: float = 1.0


_SMI = {
    "timestamp": Meaning(TIME),
    "index": Meaning(GPU),
    "uuid": Meaning(GPU),
    "gpu_uuid": Meaning(GPU),
    "pci.bus_id": Meaning(GPU),
    "gpu_bus_id": Meaning(GPU),
    "serial": Meaning(GPU),
    "name": Meaning(NAME),
    "gpu_name": Meaning(NAME),
    "utilization.gpu": Meaning(UTILISATION),
    "memory.used": Meaning(MEMORY_USED, MIB),
    "memory.free": Meaning(MEMORY_FREE, MIB),
    "memory.total": Meaning(MEMORY_TOTAL, MIB),
    "temperature.gpu": Meaning(TEMPERATURE),
    "temperature.gpu.tlimit": Meaning(TEMPERATURE_MARGIN),
    "power.draw": Meaning(POWER),
    "power.draw.instant": Meaning(POWER),
    "power.draw.average": Meaning(POWER),
}
_THERMAL = ("hw_thermal_slowdown", "sw_thermal_slowdown")
# nvidia-smi is not translated; these are the headings people give the columns of tables they keep.
_TRANSLATED = {
    "时间": Meaning(TIME),
    "时间戳": Meaning(TIME),
    "显卡": Meaning(GPU),
    "gpu利用率": Meaning(UTILISATION),
    "利用率": Meaning(UTILISATION),
    "显存使用": Meaning(MEMORY_USED, MIB),
    "已用显存": Meaning(MEMORY_USED, MIB),
    "显存总量": Meaning(MEMORY_TOTAL, MIB),
    "温度": Meaning(TEMPERATURE),
    "功率": Meaning(POWER),
    "zeit": Meaning(TIME),
    "auslastung": Meaning(UTILISATION),
    "temperatur": Meaning(TEMPERATURE),
    "horodatage": Meaning(TIME),
    "utilisation": Meaning(UTILISATION),
}
_DMON = {
    "gpu": Meaning(GPU),
    "date": Meaning(DATE),
    "time": Meaning(TIME),
    "sm": Meaning(UTILISATION),
    "fb": Meaning(MEMORY_USED, MIB),
    "gtemp": Meaning(TEMPERATURE),
    "temp": Meaning(TEMPERATURE),
    "pwr": Meaning(POWER),
    "tviol": Meaning(THROTTLED),
}
# Names as in DCGM's list of fields and in the list of metrics of nvidia_gpu_exporter.
METRICS = {
    "DCGM_FI_DEV_GPU_UTIL": Meaning(UTILISATION),
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": Meaning(UTILISATION, 100.0),
    "DCGM_FI_DEV_FB_USED": Meaning(MEMORY_USED, MIB),
    "DCGM_FI_DEV_FB_FREE": Meaning(MEMORY_FREE, MIB),
    "DCGM_FI_DEV_FB_TOTAL": Meaning(MEMORY_TOTAL, MIB),
    "DCGM_FI_DEV_GPU_TEMP": Meaning(TEMPERATURE),
    "DCGM_FI_DEV_POWER_USAGE": Meaning(POWER),
    "DCGM_FI_DEV_XID_ERRORS": Meaning(XID),
    "nvidia_smi_utilization_gpu_ratio": Meaning(UTILISATION, 100.0),
    "nvidia_smi_memory_used_bytes": Meaning(MEMORY_USED),
    "nvidia_smi_memory_total_bytes": Meaning(MEMORY_TOTAL),
    "nvidia_smi_temperature_gpu": Meaning(TEMPERATURE),
    "nvidia_smi_power_draw_watts": Meaning(POWER),
}
SECOND_CHOICE = frozenset({"DCGM_FI_PROF_GR_ENGINE_ACTIVE"})
"""Metrics that count only where no other one gives the column."""

UNIT_SCALES = {
    "%": 1.0,
    "c": 1.0,
    "w": 1.0,
    "mw": 1e-3,
    "b": 1.0,
    "bytes": 1.0,
    "kib": 1024.0,
    "kb": 1e3,
    "mib": MIB,
    "mb": MIB,  # NVIDIA's tools write MB where they count in MiB
    "gib": float(2**30),
    "gb": float(2**30),
}
_HEADING = re.compile(r"^\s*#?\s*(?P<name>[^\[(]+?)\s*(?:[\[(](?P<unit>[^\])]*)[\])])?\s*$")
MEMORY = frozenset({MEMORY_USED, MEMORY_FREE, MEMORY_TOTAL})


def heading_meaning(heading: str) -> Meaning | None:
    """What a heading of ``nvidia-smi --query-gpu`` or of a translated table means, with the unit it states."""
    match = _HEADING.match(heading)
    if match is None:
        return None
    name = match["name"].lower()
    if name.rpartition(".")[2] in _THERMAL:
        return Meaning(THROTTLED)
    meaning = _SMI.get(name) or _TRANSLATED.get(name)
    unit = (match["unit"] or "").strip().lower()
    if meaning is not None and meaning.column in MEMORY and unit in UNIT_SCALES and unit != "%":
        return Meaning(meaning.column, UNIT_SCALES[unit])
    return meaning


def dmon_meaning(heading: str) -> Meaning | None:
    """What a heading of ``nvidia-smi dmon`` means."""
    return _DMON.get(heading.lower())


def is_missing(value: float) -> bool:
    """Whether a value was not recorded."""
    return math.isnan(value)
