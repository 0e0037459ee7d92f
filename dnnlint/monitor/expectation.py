"""The prediction to compare a log with: what ``dnnlint estimate --format json`` printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from dnnlint.monitor.log import LogError

SCHEMA_VERSION = 1


class Expectation(NamedTuple):
    """The peak that nvidia-smi was predicted to show, with its bounds, in bytes."""

    target: str
    device_bytes: float
    low_bytes: float
    high_bytes: float
    device_name: str


def read_expectation(path: str) -> Expectation:
    """Read an estimate.

    Raises:
        LogError: the file cannot be read, or is no estimate of a known schema.
    """
    try:
        with open(path, encoding="utf-8") as file:
            estimate = json.load(file)
    except OSError as error:
        raise LogError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise LogError(f"{path}: not valid JSON: {error}") from error
    try:
        return _read(estimate)
    except (KeyError, TypeError, ValueError) as error:
        raise LogError(f"{path}: not an estimate of `dnnlint estimate --format json` ({error})") from error


def _read(estimate: Mapping[str, object]) -> Expectation:
    if not isinstance(estimate, dict) or estimate.get("schema_version") != SCHEMA_VERSION:
        raise ValueError("its schema_version is not 1")
    peak = float(estimate["peak"]["device_bytes"])
    if peak <= 0:
        raise ValueError("its peak is not above 0")
    bounds = estimate.get("interval") or {}
    device = estimate.get("device") or {}
    return Expectation(
        str(estimate.get("target", "")),
        peak,
        float(bounds.get("low_bytes", peak)),
        float(bounds.get("high_bytes", peak)),
        str(device.get("name", "")) if isinstance(device, dict) else "",
    )
