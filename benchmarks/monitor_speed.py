"""Measure `dnnlint monitor` on long logs: time and memory of the whole command in a process of its own.

    python benchmarks/monitor_speed.py --lines 1000000

Writes logs with known content to a scratch folder, one for each format, and prints lines, seconds (by the clock,
and of the processor where others use it, too) and peak memory.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "monitor_speed.json"
MEASURED = ("utilization.gpu [%]", "memory.used [MiB]", "memory.total [MiB]", "temperature.gpu", "power.draw [W]")
HEADING = ", ".join(("timestamp", "index", "name", *MEASURED))
GPUS = 4
MEMORY_MIB = 81559


def smi_lines(count: int) -> Iterator[str]:
    """The CSV of four GPUs that are queried every second."""
    yield HEADING
    start = datetime(2026, 11, 1)
    for line in range(count):
        gpu, second = line % GPUS, line // GPUS
        stamp = (start + timedelta(seconds=second, milliseconds=gpu)).strftime("%Y/%m/%d %H:%M:%S.%f")[:-3]
        usage = 85 + int(10 * math.sin(second / 7)) + random.randrange(5)
        used = 60000 + random.randrange(2000)
        watts = 600 + random.random()
        memory = f"{used} MiB, {MEMORY_MIB} MiB"
        yield f"{stamp}, {gpu}, NVIDIA H100 80GB HBM3, {usage} %, {memory}, {65 + usage % 9}, {watts:.2f} W"


def dmon_lines(count: int) -> Iterator[str]:
    """The same with dmon, which repeats its heading."""
    for line in range(count):
        if line % (GPUS * 30) == 0:
            yield "#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem    enc    dec     fb"
            yield "#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %      %      %     MB"
        second = line // GPUS
        clock = f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        date = (datetime(2026, 11, 1) + timedelta(seconds=second)).strftime("%Y%m%d")
        usage = 85 + second % 9
        yield f" {date}   {clock}      {line % GPUS}    610     66     70     {usage}     40      -      -  61234"


def metric_lines(count: int) -> Iterator[str]:
    """Scrapes of a DCGM exporter, four metrics a GPU."""
    names = {
        "DCGM_FI_DEV_GPU_UTIL": 86,
        "DCGM_FI_DEV_FB_USED": 61234,
        "DCGM_FI_DEV_FB_FREE": 20000,
        "DCGM_FI_DEV_GPU_TEMP": 66,
    }
    for line in range(count):
        scrape, place = divmod(line, GPUS * len(names))
        metric, gpu = list(names)[place // GPUS], place % GPUS
        labels = f'gpu="{gpu}",UUID="GPU-{gpu}",device="nvidia{gpu}",modelName="NVIDIA H100 80GB HBM3",Hostname="node1"'
        yield f"{metric}{{{labels}}} {names[metric] + scrape % 5} {1793000000000 + scrape * 15000}"


LOGS = {"nvidia-smi CSV": smi_lines, "nvidia-smi dmon": dmon_lines, "DCGM metrics": metric_lines}


def measure(path: Path) -> tuple[float, float, float]:
    """Seconds by the clock and of the processor, and peak memory in MiB, of the command in a fresh interpreter."""
    # The kernel reports the largest of all children, so each measurement has a parent of its own.
    command = [sys.executable, __file__, "--one", str(path)]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    seconds, cpu_seconds, peak_mib = map(float, words)
    return seconds, cpu_seconds, peak_mib


def run_one(path: str) -> None:
    """Run the command once and print what it took."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "dnnlint", "monitor", "--isolated", "--format", "json", path],
        stdout=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"dnnlint ended with {done.returncode}")
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main() -> None:
    """Measure every format and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        return run_one(args.one)
    random.seed(0)
    rows: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in LOGS.items():
            path = Path(folder) / "log"
            with path.open("w") as file:
                file.writelines(f"{line}\n" for line in lines(args.lines))
            seconds, cpu_seconds, peak_mib = measure(path)
            rows[name] = {
                "lines": args.lines,
                "seconds": round(seconds, 2),
                "cpu_seconds": round(cpu_seconds, 2),
                "peak_mib": round(peak_mib),
            }
            print(f"{name:<16} {args.lines:>9} lines  {seconds:6.2f} s ({cpu_seconds:.2f} s CPU)  {peak_mib:6.0f} MiB")
    RESULTS.write_text(json.dumps({"python": platform.python_version(), "logs": rows}, indent=2) + "\n")
    return None


if __name__ == "__main__":
    main()
