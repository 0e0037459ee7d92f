"""A Grafana dashboard over the metrics of NVIDIA's DCGM exporter, with the thresholds of the monitor."""

from __future__ import annotations

from typing import NamedTuple

from dnnlint.monitor.question import Question

_SCHEMA_VERSION = 39
"""That of Grafana 10.4 and 11; newer versions migrate it when they load the file."""
_DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
_FILTER = '{Hostname=~"$host", gpu=~"$gpu"}'
_HEIGHT, _WIDTH = 8, 12
_MEBIBYTE = 2**20


class _Panel(NamedTuple):
    title: str
    expression: str
    unit: str
    maximum: float | None
    steps: tuple[tuple[float | None, str], ...]


def dashboard(question: Question) -> dict[str, object]:
    """The JSON model of the dashboard."""
    panels = [_encode(index, panel) for index, panel in enumerate(_panels(question))]
    return {
        "uid": "dnnlint-gpu",
        "title": f"GPUs: {question.mode}",
        "tags": ["dnnlint", "gpu"],
        "schemaVersion": _SCHEMA_VERSION,
        "version": 1,
        "editable": True,
        "timezone": "browser",
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {
            "list": [_datasource_variable(), _label_variable("host", "Hostname"), _label_variable("gpu", "gpu")]
        },
        "panels": panels,
    }


def _panels(question: Question) -> tuple[_Panel, ...]:
    limits = question.limits
    low, high = question.usage_range
    waste = limits.waste_percent if question.mode == "training" else low
    usage: tuple[tuple[float | None, str], ...] = ((None, "red"), (waste, "yellow"), (low, "green"), (high, "yellow"))
    if limits.saturation_percent > high:
        usage = (*usage, (limits.saturation_percent, "orange"))
    heat = question.temperature_limit_c or limits.throttle_c
    room = 100 - limits.memory_headroom_percent
    used = f"DCGM_FI_DEV_FB_USED{_FILTER}"
    share = f"100 * {used} / ({used} + DCGM_FI_DEV_FB_FREE{_FILTER})"
    usage_metric = f"DCGM_FI_DEV_GPU_UTIL{_FILTER}"
    memory: list[tuple[float | None, str]] = [(None, "green")]
    if question.expectation is not None:
        memory.append((question.expectation.high_bytes, "red"))
    return (
        _Panel("Utilisation", usage_metric, "percent", 100, usage),
        _Panel("Utilisation, mean of 30 minutes", f"avg_over_time({usage_metric}[30m])", "percent", 100, usage),
        _Panel("Memory", f"{used} * {_MEBIBYTE}", "bytes", None, tuple(memory)),
        _Panel("Memory, share of the GPU's", share, "percent", 100,
               ((None, "green"), (room, "yellow"), (limits.memory_full_percent, "red"))),
        _Panel("Temperature", f"DCGM_FI_DEV_GPU_TEMP{_FILTER}", "celsius", None,
               ((None, "green"), (heat, "yellow"), (limits.temperature_c, "red"))),
        _Panel("Power", f"DCGM_FI_DEV_POWER_USAGE{_FILTER}", "watt", None, ((None, "green"),)),
    )  # fmt: skip


def _encode(index: int, panel: _Panel) -> dict[str, object]:
    defaults: dict[str, object] = {
        "unit": panel.unit,
        "min": 0,
        "custom": {"drawStyle": "line", "lineWidth": 1, "fillOpacity": 0, "thresholdsStyle": {"mode": "dashed"}},
        "color": {"mode": "palette-classic"},
        "thresholds": {
            "mode": "absolute",
            "steps": [{"color": color, "value": value} for value, color in panel.steps],
        },
    }
    if panel.maximum is not None:
        defaults["max"] = panel.maximum
    return {
        "id": index + 1,
        "type": "timeseries",
        "title": panel.title,
        "datasource": _DATASOURCE,
        "gridPos": {"h": _HEIGHT, "w": _WIDTH, "x": index % 2 * _WIDTH, "y": index // 2 * _HEIGHT},
        "targets": [
            {
                "refId": "A",
                "datasource": _DATASOURCE,
                "expr": panel.expression,
                "legendFormat": "{{Hostname}} GPU {{gpu}}",
            }
        ],
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
    }


def _datasource_variable() -> dict[str, object]:
    return {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"}


def _label_variable(name: str, label: str) -> dict[str, object]:
    query = f"label_values(DCGM_FI_DEV_GPU_UTIL, {label})"
    return {
        "name": name,
        "label": name.title(),
        "type": "query",
        "datasource": _DATASOURCE,
        "definition": query,
        "query": {"query": query, "refId": "A"},
        "refresh": 2,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
    }
