"""Scalars that a training run wrote for TensorBoard, read with TensorBoard's own reader and no TensorFlow."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from dnnlint.monitor.columns import (
    MEMORY_TOTAL,
    MEMORY_USED,
    POWER,
    TEMPERATURE,
    UNIT_SCALES,
    UTILISATION,
    Meaning,
)
from dnnlint.monitor.log import Log, LogError
from dnnlint.monitor.readers.collecting import Collector
from dnnlint.monitor.readers.options import ReadOptions

_PATTERNS = (
    (MEMORY_TOTAL, re.compile(r"(memory|vram|mem)[._ -]*(total|capacity)", re.I)),
    (
        MEMORY_USED,
        re.compile(r"(memory|vram|mem)[._ -]*(used|usage|allocated|reserved)|reserved_bytes\.all\.current", re.I),
    ),
    (UTILISATION, re.compile(r"util|gpu[._ -]*(usage|load)", re.I)),
    (TEMPERATURE, re.compile(r"temp", re.I)),
    (POWER, re.compile(r"power", re.I)),
)
_GPU = re.compile(r"(?:gpu|cuda|device|gpu_id)[:._ /-]*(\d+)", re.I)
_UNIT = re.compile(r"[\[(_ ](%|bytes|[kmg]i?b|b|c|w)[\])]?$", re.I)
_RELATED = re.compile(r"gpu|cuda|vram|nvidia|nvml|reserved_bytes", re.I)
_OTHER_MEMORY = re.compile(r"memory[._ ](util|clock)|utilization\.memory", re.I)


class _Scalar(NamedTuple):
    tag: str
    time: float
    value: float


def read_tensorboard(path: str, log: Log, options: ReadOptions) -> None:
    """Append the scalars about GPUs of an event file, or of all event files below a folder.

    Raises:
        LogError: the package tensorboard is missing, or no scalar is about a GPU.
    """
    files = _event_files(path)
    if not files:
        raise LogError(f"{path}: no event file of TensorBoard in it")
    collector = Collector(log)
    log.is_scattered = True
    meanings: dict[str, Meaning | None] = {}
    known = 0
    for file in files:
        for scalar in _scalars(file, log):
            if scalar.tag not in meanings:
                meanings[scalar.tag] = options.mapped(scalar.tag) or _meaning(scalar.tag, log)
            meaning = meanings[scalar.tag]
            if meaning is not None:
                collector.add(_gpu(scalar.tag), scalar.time, meaning.column, scalar.value * meaning.scale)
                known += 1
    if not known:
        raise LogError(
            f"{path}: none of {len(meanings)} scalars is about a GPU; name one with --map TAG=utilization.gpu"
        )
    collector.finish()
    log.format = log.format or "tensorboard"


def _event_files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    return sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if "tfevents" in name
    )


def _meaning(tag: str, log: Log) -> Meaning | None:
    if not _RELATED.search(tag) or _OTHER_MEMORY.search(tag):
        return None
    column = next((column for column, pattern in _PATTERNS if pattern.search(tag)), None)
    if column is None:
        return None
    unit = _UNIT.search(tag)
    scale = UNIT_SCALES.get(unit[1].lower(), 1.0) if unit else 1.0
    if column in (MEMORY_USED, MEMORY_TOTAL):
        if unit is not None and unit[1] == "%":
            return None
        if unit is None:
            log.notice(f"the scalar {tag} states no unit and is read as bytes (--map '{tag}=memory.used [MiB]')")
    return Meaning(column, scale)


def _gpu(tag: str) -> str:
    match = _GPU.search(tag)
    return match[1] if match else "0"


def _scalars(path: str, log: Log) -> Iterator[_Scalar]:
    """The scalars of an event file; what follows a truncated record is left out with a notice."""
    try:
        from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
        from tensorboard.util import tensor_util
    except ImportError as error:
        raise LogError(
            "TensorBoard's events need its package: pip install 'dnnlint[tensorboard]' (TensorFlow is not needed)"
        ) from error
    logging.getLogger("tensorboard").setLevel(logging.ERROR)
    try:
        for event in EventFileLoader(path).Load():
            for value in event.summary.value:
                if value.HasField("tensor") and not value.tensor.tensor_shape.dim:
                    yield _Scalar(value.tag, event.wall_time, float(tensor_util.make_ndarray(value.tensor)))
    except OSError as error:
        raise LogError(f"{path}: cannot be read: {error}") from error
    except Exception as error:  # the reader raises errors of TensorFlow's own classes for damaged records
        log.notice(f"{path}: damaged; what follows the damaged record is left out ({type(error).__name__})")
