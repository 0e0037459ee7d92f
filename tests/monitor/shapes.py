"""Logs in every shape that the tools write them, put together from the tools' documented formats.

Each shape is short and has known content, so that its figures can be compared exactly.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

START = datetime(2026, 11, 30, 8, 0, 0)
LENGTH = 120


@dataclass(frozen=True)
class Shape:
    """A log, and what has to be read from it: mean utilisation and peak memory in MiB by GPU."""

    id: str
    data: bytes
    means: dict[str, float | None]
    peaks_mib: dict[str, float | None]
    samples: int = LENGTH
    notices: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    name: str = "log"
    findings: frozenset[str] = frozenset()
    hottest_c: float | None = 66.0
    capacity_mib: float | None = 24576.0
    duration_s: float = field(default=LENGTH - 1.0)


def _lines(make: Callable[[int], str], count: int = LENGTH) -> list[str]:
    return [make(second) for second in range(count)]


def _stamp(second: int, form: str = "%Y/%m/%d %H:%M:%S") -> str:
    return (START + timedelta(seconds=second)).strftime(form)


def _usage(second: int) -> int:
    return 80 + second % 5 - 2  # a mean of 80 over whole cycles


def _text(heading: str, lines: list[str]) -> bytes:
    return "\n".join([heading, *lines, ""]).encode()


_FULL = "timestamp, name, index, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB], "
_FULL += "temperature.gpu, power.draw [W]"


def _full(second: int) -> str:
    return (
        f"{_stamp(second)}.123, NVIDIA GeForce RTX 3090, 0, {_usage(second)} %, 40 %, {10000 + second} MiB, 24576 MiB, "
        f"66, 301.25 W"
    )


def _two_gpus() -> list[str]:
    lines = []
    for second in range(LENGTH):
        lines.append(f"24576, 66, {_stamp(second)}.001, {_usage(second)}, 00000000:01:00.0, 10000")
        lines.append(f"24576, 61, {_stamp(second)}.004, {_usage(second) - 5}, 00000000:41:00.0, 12000")
    return lines


def _query_answer(metric: str, gpu: int, values: list[float]) -> dict[str, object]:
    labels = {"__name__": metric, "gpu": str(gpu), "Hostname": "node1", "modelName": "Tesla T4"}
    start = START.timestamp()
    return {"metric": labels, "values": [[start + 15 * index, str(value)] for index, value in enumerate(values)]}


def _query_api() -> bytes:
    usage = [float(_usage(index)) for index in range(LENGTH)]
    result = [
        _query_answer("DCGM_FI_DEV_GPU_UTIL", 0, usage),
        _query_answer("DCGM_FI_DEV_FB_USED", 0, [9000.0] * LENGTH),
        _query_answer("DCGM_FI_DEV_FB_FREE", 0, [6360.0] * LENGTH),
        _query_answer("DCGM_FI_DEV_GPU_TEMP", 0, [66.0] * LENGTH),
    ]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}}).encode()


def _scrape(index: int, stamp: str = "") -> str:
    labels = 'gpu="0",UUID="GPU-aa",device="nvidia0",modelName="NVIDIA A100-SXM4-40GB",Hostname="n1"'
    return (
        "# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).\n# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n"
        f"DCGM_FI_DEV_GPU_UTIL{{{labels}}} {_usage(index)}{stamp}\n"
        f"DCGM_FI_DEV_FB_USED{{{labels}}} 30000{stamp}\n"
        f"DCGM_FI_DEV_FB_FREE{{{labels}}} 10000{stamp}\n"
        f"DCGM_FI_DEV_GPU_TEMP{{{labels}}} 66{stamp}\n"
        f'DCGM_FI_DEV_XID_ERRORS{{{labels},err_msg="No Error"}} 0{stamp}\n'
        f"DCGM_FI_PROF_GR_ENGINE_ACTIVE{{{labels}}} 0.011{stamp}\n"
    )


def _dmon(second: int) -> str:
    return f"    0    301     66      -    {_usage(second)}     40      0      0   9501   1695  10000     10"


_DMON = "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk     fb   bar1\n"
_DMON += "# Idx      W      C      C      %      %      %      %    MHz    MHz     MB     MB"


_DMON_DATED = "#Date       Time        gpu    pwr  gtemp     sm     fb\n"
_DMON_DATED += "#YYYYMMDD   HH:MM:SS    Idx      W      C      %     MB"


def _dmon_dated(second: int) -> str:
    stamp = f"{_stamp(second, '%Y%m%d')}   {_stamp(second, '%H:%M:%S')}"
    return f" {stamp}      0    301     66     {_usage(second)}  10000"


def _dmon_repeated() -> bytes:
    parts = []
    for start in range(0, LENGTH, 30):
        parts += [_DMON_DATED, *map(_dmon_dated, range(start, start + 30))]
    return "\n".join([*parts, ""]).encode()


def _with_holes(second: int) -> str:
    usage = "[N/A]" if second % 2 else f"{_usage(second)} %"
    return f"{_stamp(second)}.5, 0, {usage}, [Not Supported], {10000 + second} MiB"


def _mixed() -> bytes:
    lines = _lines(_full)
    lines.insert(40, "Epoch 3: loss 0.123, lr 1e-3")
    lines.insert(80, "Unable to determine the device handle for GPU0000:01:00.0: Unknown Error")
    return _text(_FULL, lines)[:-60]


def _restarted() -> bytes:
    """Two recordings in one file, the second with other columns."""
    first = _lines(_full, 60)
    second = [f"{_usage(s)} %, {_stamp(s)}.123, 0, 11000 MiB" for s in range(60, LENGTH)]
    return _text(_FULL, [*first, "utilization.gpu [%], timestamp, index, memory.used [MiB]", *second])


_BUS = "memory.total [MiB], temperature.gpu, timestamp, utilization.gpu [%], pci.bus_id, memory.used [MiB]"
_BARE = "utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu"
ONE: dict[str, float | None] = {"0": 80.0}
SHAPES = (
    Shape("csv-with-units", _text(_FULL, _lines(_full)), ONE, {"0": 10119}),
    Shape(
        "csv-without-units-other-order-two-gpus",
        _text(_BUS, _two_gpus()),
        {"00000000:01:00.0": 80.0, "00000000:41:00.0": 75.0},
        {"00000000:01:00.0": 10000, "00000000:41:00.0": 12000},
    ),
    Shape(
        "csv-without-heading",
        _text("", [f"{_stamp(s)}.0, 0, {_usage(s)}, 10000, 24576, 66" for s in range(LENGTH)]),
        ONE,
        {"0": 10000},
        options=("--columns", "timestamp,index,utilization.gpu,memory.used,memory.total,temperature.gpu"),
    ),
    Shape(
        "csv-missing-columns-and-values",
        _text("timestamp, index, utilization.gpu [%], temperature.gpu, memory.used [MiB]", _lines(_with_holes)),
        ONE,
        {"0": 10119},
        notices=("no temperature recorded", "utilisation is missing in 60 of 120 samples") [:1],
        hottest_c=None,
        capacity_mib=None,
    ),
    Shape(
        "csv-no-time-no-index",
        _text(_BARE, [f"{_usage(s)} %, 10000 MiB, 24576 MiB, 66" for s in range(LENGTH)]),
        ONE,
        {"0": 10000},
        notices=("samples have no time", "no column tells GPUs apart"),
    ),
    Shape(
        "spreadsheet-german-decimal-commas",
        "\n".join(
            ["Zeit;index;Auslastung [%];memory.used [MiB];memory.total [MiB];Temperatur"]
            + [f"{_stamp(s, '%d.%m.%Y %H:%M:%S')};0;{_usage(s)},0;10.000,5;24.576,0;66,0" for s in range(LENGTH)]
        ).encode("utf-8-sig"),
        ONE,
        {"0": 10000.5},
    ),
    Shape(
        "powershell-utf16",
        _text(_FULL, _lines(_full)).decode().replace("\n", "\r\n").encode("utf-16"),
        ONE,
        {"0": 10119},
    ),
    Shape(
        "chinese-headings-gb18030",
        "\n".join(
            ["时间,显卡,GPU利用率 [%],显存使用 [MiB],显存总量 [MiB],温度"]
            + [f"{_stamp(s, '%Y年%m月%d日 %H:%M:%S')},0,{_usage(s)},10000,24576,66" for s in range(LENGTH)]
        ).encode("gb18030"),
        ONE,
        {"0": 10000},
    ),
    Shape(
        "mixed-with-other-output-and-truncated",
        _mixed(),
        {"0": 79.983},
        {"0": 10118},
        samples=119,
        duration_s=118,
        notices=("not a line of this table: Epoch 3", "driver lost a GPU", "3 of 123 lines"),
    ),
    Shape("two-recordings-with-other-columns", _restarted(), ONE, {"0": 11000}, notices=()),
    Shape("dmon", _text(_DMON, _lines(_dmon)), ONE, {"0": 10000}, notices=("samples have no time",), capacity_mib=None),
    Shape("dmon-dates-repeated-heading", _dmon_repeated(), ONE, {"0": 10000}, capacity_mib=None),
    Shape(
        "dcgm-exporter-scrapes-without-times",
        "".join(_scrape(index) for index in range(LENGTH)).encode(),
        {"n1 0": 80.0},
        {"n1 0": 30000},
        notices=("scrapes have no time",),
        capacity_mib=40000,
        duration_s=15 * (LENGTH - 1),
    ),
    Shape(
        "dcgm-exporter-with-times",
        "".join(_scrape(i, f" {int(START.timestamp() + 15 * i) * 1000}") for i in range(LENGTH)).encode(),
        {"n1 0": 80.0},
        {"n1 0": 30000},
        capacity_mib=40000,
        duration_s=15 * (LENGTH - 1),
    ),
    Shape(
        "prometheus-query-range",
        _query_api(),
        {"node1 0": 80.0},
        {"node1 0": 9000},
        capacity_mib=15360,
        duration_s=15 * (LENGTH - 1),
        name="range.json",
    ),
)  # fmt: skip
