"""Options of the caching allocator, as ``PYTORCH_ALLOC_CONF`` spells them.

Names, limits and defaults: ``c10/core/AllocatorConfig.h`` of PyTorch 2.14 and "Optimizing memory usage with
PYTORCH_ALLOC_CONF" in https://docs.pytorch.org/docs/stable/notes/cuda.html (read 2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

MIB = 1 << 20
UNLIMITED_BYTES = 1 << 62
LARGE_SEGMENT_BYTES = 20 * MIB
SMALLEST_LIMIT_MB = 20
"""``max_split_size_mb`` and ``max_non_split_rounding_mb`` below the large segment are refused by PyTorch."""

ROUNDUP_INTERVALS = 16
"""One divisor for each power of two from 1 MiB to 32 GiB and above (``kRoundUpPowerOfTwoIntervals``)."""

HOST_OR_INERT_KEYS = frozenset(
    {
        "garbage_collection_threshold",
        "release_lock_on_cudamalloc",
        "pinned_use_cuda_host_register",
        "pinned_num_register_threads",
        "pinned_use_background_threads",
        "pinned_reserve_segment_size_mb",
        "pinned_max_round_threshold_mb",
        "pinned_max_cached_size_mb",
        "graph_capture_record_stream_reuse",
        "per_process_memory_fraction",
        "expandable_segments_handle_type",
        "throw_on_cudamalloc_oom",
    }
)
"""Options that concern pinned host memory, locks or a memory fraction: no effect on the figures of one process.

``garbage_collection_threshold`` acts only after ``torch.cuda.set_per_process_memory_fraction``.
"""


class AllocConfError(ValueError):
    """The text of ``PYTORCH_ALLOC_CONF`` would be refused by PyTorch, or names another allocator."""


@dataclass(frozen=True, slots=True)
class AllocatorConfig:
    """What the native caching allocator can be told; sizes in bytes."""

    expandable_segments: bool = False
    max_split_bytes: int = UNLIMITED_BYTES
    max_non_split_rounding_bytes: int = LARGE_SEGMENT_BYTES
    large_segment_bytes: int = LARGE_SEGMENT_BYTES
    roundup_divisions: tuple[int, ...] = ()
    """Divisors for 1 MiB, 2 MiB, 4 MiB ... (16 of them), or empty for rounding to 512 bytes only."""

    def roundup_division(self, size: int) -> int:
        """Return the power-of-two divisor that applies to a request of ``size`` bytes (0: none)."""
        if not self.roundup_divisions:
            return 0
        interval = size.bit_length() - 1 - (MIB.bit_length() - 1)
        return self.roundup_divisions[min(max(interval, 0), ROUNDUP_INTERVALS - 1)]


_ITEM = re.compile(r"\s*([A-Za-z_]\w*)\s*:\s*(\[[^\]]*\]|[^,\[\]]*)\s*(?:,|$)")


def parse_alloc_conf(text: str) -> AllocatorConfig:
    """Parse the value of ``PYTORCH_ALLOC_CONF`` (or ``PYTORCH_CUDA_ALLOC_CONF``).

    Raises:
        AllocConfError: for an unknown key, a value PyTorch refuses, or another backend than ``native``.

    """
    options = _split_items(text)
    if options.pop("backend", "native") != "native":
        raise AllocConfError("only the native allocator is modelled, not backend:cudaMallocAsync")
    expandable = _flag(options.pop("expandable_segments", "False"), "expandable_segments")
    segment = _megabytes(options, "large_segment_size_mb", LARGE_SEGMENT_BYTES)
    config = AllocatorConfig(
        expandable_segments=expandable,
        max_split_bytes=_megabytes(options, "max_split_size_mb", UNLIMITED_BYTES),
        max_non_split_rounding_bytes=_megabytes(options, "max_non_split_rounding_mb", segment),
        large_segment_bytes=segment,
        roundup_divisions=_roundup(options.pop("roundup_power2_divisions", "")),
    )
    unknown = sorted(set(options) - HOST_OR_INERT_KEYS)
    if unknown:
        raise AllocConfError(f"unknown allocator option {unknown[0]!r}")
    return config


def _split_items(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    position = 0
    while position < len(text.rstrip()):
        item = _ITEM.match(text, position)
        if item is None or item.end() == position:
            raise AllocConfError(f"cannot read {text[position:]!r} as key:value")
        options[item[1]] = item[2].strip()
        position = item.end()
    return options


def _flag(value: str, key: str) -> bool:
    if value not in ("True", "False", "true", "false"):
        raise AllocConfError(f"{key} is True or False, not {value!r}")
    return value in ("True", "true")


def _integer(value: str, key: str) -> int:
    if not value.isdigit():
        raise AllocConfError(f"{key} is a whole number, not {value!r}")
    return int(value)


def _megabytes(options: dict[str, str], key: str, default: int) -> int:
    if key not in options:
        return default
    value = _integer(options.pop(key), key)
    if value < SMALLEST_LIMIT_MB:
        raise AllocConfError(f"{key} is at least {SMALLEST_LIMIT_MB}, not {value}")
    return value * MIB


def _divisor(value: str) -> int:
    divisor = _integer(value, "roundup_power2_divisions")
    if divisor & (divisor - 1):
        raise AllocConfError(f"roundup_power2_divisions are powers of two, not {divisor}")
    return divisor


def _roundup(value: str) -> tuple[int, ...]:
    if not value:
        return ()
    if not value.startswith("["):
        return (_divisor(value),) * ROUNDUP_INTERVALS
    return _roundup_list(dict(_pair(item) for item in value[1:-1].split(",")))


def _pair(item: str) -> tuple[str, int]:
    key, separator, value = item.partition(":")
    if not separator:
        raise AllocConfError(f"roundup_power2_divisions holds size:divisor, not {item!r}")
    return key.strip(), _divisor(value.strip())


def _roundup_list(pairs: Mapping[str, int]) -> tuple[int, ...]:
    divisions = [0] * ROUNDUP_INTERVALS
    last = -1
    for key, divisor in pairs.items():
        if key == ">":
            divisions[last + 1 :] = [divisor] * (ROUNDUP_INTERVALS - last - 1)
            continue
        size_mb = _integer(key, "roundup_power2_divisions")
        if size_mb == 0 or size_mb & (size_mb - 1):
            raise AllocConfError(f"roundup_power2_divisions sizes are powers of two, not {size_mb}")
        index = min(size_mb.bit_length() - 1, ROUNDUP_INTERVALS - 1)
        if last < 0:
            divisions[:index] = [divisor] * index
        divisions[index] = divisor
        last = index
    return tuple(divisions)
