"""Reading ``PYTORCH_ALLOC_CONF``."""

from __future__ import annotations

import pytest

from dnnlint.estimators.allocator import AllocatorConfig, AllocConfError, parse_alloc_conf

MIB = 1 << 20


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", AllocatorConfig(), id="empty"),
        pytest.param(" expandable_segments : True ", AllocatorConfig(expandable_segments=True), id="spaces"),
        pytest.param(
            "max_split_size_mb:128,garbage_collection_threshold:0.8",
            AllocatorConfig(max_split_bytes=128 * MIB),
            id="an option without effect is accepted",
        ),
        pytest.param("roundup_power2_divisions:4", AllocatorConfig(roundup_divisions=(4,) * 16), id="one divisor"),
        pytest.param(
            "roundup_power2_divisions:[4:2,16:8,>:1],backend:native",
            AllocatorConfig(roundup_divisions=(2, 2, 2, 0, 8) + (1,) * 11),
            id="divisors by size",
        ),
    ],
)
def test_accepted(text: str, expected: AllocatorConfig) -> None:
    """Every documented form is read."""
    assert parse_alloc_conf(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("expandable:True", id="unknown key"),
        pytest.param("expandable_segments", id="no value"),
        pytest.param("expandable_segments:yes", id="no boolean"),
        pytest.param("max_split_size_mb:10", id="below the smallest limit"),
        pytest.param("max_split_size_mb:many", id="no number"),
        pytest.param("roundup_power2_divisions:3", id="no power of two"),
        pytest.param("roundup_power2_divisions:[3:4]", id="size is no power of two"),
        pytest.param("backend:cudaMallocAsync", id="another allocator"),
    ],
)
def test_refused(text: str) -> None:
    """What PyTorch refuses, or what is not modelled, is an error that names it."""
    with pytest.raises(AllocConfError):
        parse_alloc_conf(text)
