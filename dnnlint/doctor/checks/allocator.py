"""The row about the settings of PyTorch's caching allocator."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dnnlint.doctor.model import Row, Status

_NEW, _OLD = "PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"
_OTHER_BACKEND = re.compile(r"backend\s*:\s*cudaMallocAsync")


def check_allocator(environment: Mapping[str, str]) -> Row:
    """What PyTorch will read: the old variable wins where both are set (c10/cuda/CUDAAllocatorConfig.h)."""
    from dnnlint.estimators.allocator.config import AllocConfError, parse_alloc_conf

    name = _OLD if _OLD in environment else _NEW
    text = environment.get(name, "")
    if not text.strip():
        advice = "If memory is short although much is reserved: PYTORCH_ALLOC_CONF=expandable_segments:True."
        return _row(Status.OK, "defaults", advice)
    found = f"{name}={text}"
    try:
        config = None if _OTHER_BACKEND.search(text) else parse_alloc_conf(text)
    except AllocConfError as error:
        return _row(Status.WRONG, f"{found}: {error}", "PyTorch refuses options that it does not know when it starts.")
    if environment.get(_NEW, text) != text:
        advice = f"Both variables are set and {_OLD} wins: unset it."
        return _row(Status.ATTENTION, f"{found}, and {_NEW}={environment[_NEW]}", advice)
    if config is not None and config.expandable_segments and "max_split_size_mb" in text:
        return _row(Status.ATTENTION, found, "`max_split_size_mb` has no use with expandable segments: drop it.")
    return _row(Status.OK, found, f"{_NEW} is the newer name." if name == _OLD else "")


def _row(status: Status, found: str, advice: str) -> Row:
    return Row("software", "allocator settings", status, found, advice, "S4.1.2")
