"""Alert rules for Prometheus with the thresholds of the monitor, over the metrics of NVIDIA's DCGM exporter."""

from __future__ import annotations

import json
import os
from typing import NamedTuple

from dnnlint.monitor.dashboard import dashboard
from dnnlint.monitor.log import LogError
from dnnlint.monitor.question import Question

USAGE = "DCGM_FI_DEV_GPU_UTIL"
USED = "DCGM_FI_DEV_FB_USED"
TEMPERATURE = "DCGM_FI_DEV_GPU_TEMP"
SHARE = "100 * DCGM_FI_DEV_FB_USED / (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE)"
_IN_USE = "avg_over_time(DCGM_FI_DEV_FB_USED[{window}]) > 1024"
"""More than a bare CUDA context: without a process on it a GPU may be idle."""
ALERTS_FILE, DASHBOARD_FILE = "dnnlint-gpu-alerts.yml", "dnnlint-gpu-dashboard.json"


class Alert(NamedTuple):
    """One alerting rule."""

    name: str
    expression: str
    wait: str
    severity: str
    summary: str
    clause: str


def write_files(folder: str, question: Question) -> tuple[str, str]:
    """Write the rules and the dashboard into a folder and return their paths.

    Raises:
        LogError: the folder cannot be written.
    """
    import yaml

    rules = os.path.join(folder, ALERTS_FILE)
    board = os.path.join(folder, DASHBOARD_FILE)
    try:
        os.makedirs(folder, exist_ok=True)
        with open(rules, "w", encoding="utf-8") as file:
            yaml.safe_dump(rule_file(question), file, sort_keys=False, width=120)
        with open(board, "w", encoding="utf-8") as file:
            json.dump(dashboard(question), file, indent=2)
            file.write("\n")
    except OSError as error:
        raise LogError(f"{folder}: cannot be written: {error.strerror}") from error
    return rules, board


def rule_file(question: Question) -> dict[str, object]:
    """The content of a rule file."""
    rules = [
        {
            "alert": alert.name,
            "expr": alert.expression,
            "for": alert.wait,
            "labels": {"severity": alert.severity},
            "annotations": {"summary": alert.summary, "clause": alert.clause},
        }
        for alert in alerts(question)
    ]
    return {"groups": [{"name": "dnnlint-gpu", "rules": rules}]}


def alerts(question: Question) -> tuple[Alert, ...]:
    """One alert for each threshold that a running system can judge."""
    return (*_usage_alerts(question), *_heat_alerts(question), *_memory_alerts(question), *_health_alerts())


def _usage_alerts(question: Question) -> tuple[Alert, ...]:
    limits = question.limits
    low, high = question.usage_range
    waste = limits.waste_percent if question.mode == "training" else low
    mean, in_use = f"avg_over_time({USAGE}[30m])", _IN_USE.format(window="30m")
    gpu, value = "GPU {{ $labels.gpu }} on {{ $labels.Hostname }}", "{{ $value | humanize }} %"
    idle = f"max_over_time({USAGE}[10m]) <= {limits.idle_percent:g} and {_IN_USE.format(window='10m')}"
    return (
        Alert("GpuLowUtilisation", f"{mean} < {waste:g} and {in_use}", "5m", "warning",
              f"{gpu} is used to {value} on average, below {waste:g} %.", "S4.1.1"),
        Alert("GpuUtilisationOutOfRange", f"({mean} < {low:g} or {mean} > {high:g}) and {in_use}", "30m", "info",
              f"{gpu} is used to {value}, outside of {low:g} to {high:g} % for {question.mode}.", "S4.1.1"),
        Alert("GpuSaturated", f"{mean} > {limits.saturation_percent:g}", "30m", "info",
              f"{gpu} is used to {value}: make sure that the cooling holds.", "S4.1.1"),
        Alert("GpuIdle", idle, "1m", "warning",
              f"{gpu} holds memory and has done nothing for 10 minutes.", "S4.1.1"),
    )  # fmt: skip


def _heat_alerts(question: Question) -> tuple[Alert, ...]:
    gpu, value = "GPU {{ $labels.gpu }} on {{ $labels.Hostname }}", "{{ $value | humanize }} °C"
    hot, throttle = question.limits.temperature_c, question.temperature_limit_c or question.limits.throttle_c
    return (
        Alert("GpuOverheated", f"{TEMPERATURE} >= {hot:g}", "1m", "critical",
              f"{gpu} is at {value}: lower the load, improve the cooling.", "S5.1.2"),
        Alert("GpuNearThrottling", f"{TEMPERATURE} >= {throttle:g} < {hot:g}", "5m", "warning",
              f"{gpu} is at {value} and slows itself down, or soon will.", "S5.1.2"),
    )  # fmt: skip


def _memory_alerts(question: Question) -> tuple[Alert, ...]:
    limits = question.limits
    gpu = "GPU {{ $labels.gpu }} on {{ $labels.Hostname }}"
    share, full = 100.0 - limits.memory_headroom_percent, limits.memory_full_percent
    # A regression over four hours whose two halves both rise; the test of the log itself is stricter.
    part = f"{limits.leak_growth_percent / 100:g} * (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE)"
    least = f"clamp_min({part}, {limits.leak_growth_mib:g})"
    halves = f"deriv({USED}[2h]) > 0 and deriv({USED}[2h] offset 2h) > 0"
    found = [
        Alert("GpuMemoryFull", f"{SHARE} >= {full:g}", "5m", "warning",
              f"The memory of {gpu} is full.", "S4.1.2"),
        Alert("GpuMemoryLittleHeadroom", f"{SHARE} > {share:g} < {full:g}", "15m", "info",
              f"The memory of {gpu} has less than {limits.memory_headroom_percent:g} % in reserve.", "S2.1.2a"),
        Alert("GpuMemoryGrows", f"deriv({USED}[4h]) * 4 * 3600 > {least} and {halves}", "30m", "warning",
              f"The memory of {gpu} has been growing for four hours.", "S5.1.1"),
    ]  # fmt: skip
    if question.expectation is not None:
        mib = question.expectation.high_bytes * (1 + limits.expect_tolerance_percent / 100) / 2**20
        found.append(
            Alert("GpuMemoryAbovePrediction", f"{USED} > {mib:.0f}", "5m", "warning",
                  f"The memory of {gpu} is above what was predicted.", "S4.1.2")
        )  # fmt: skip
    return tuple(found)


def _health_alerts() -> tuple[Alert, ...]:
    return (
        Alert("GpuXidError", "DCGM_FI_DEV_XID_ERRORS > 0", "0m", "critical",
              "The driver reported Xid {{ $value }} for GPU {{ $labels.gpu }} on {{ $labels.Hostname }}.", "S5.2.2"),
        Alert("GpuMetricsMissing", f"absent({USAGE})", "10m", "warning",
              "No GPU reports its utilisation: the DCGM exporter is down or not scraped.", "S4.1.1"),
    )  # fmt: skip
