"""Records what PyTorch's own CUDA dispatcher asks of the allocator, for the tests' ``kernel_sequences.json``.

    python -m benchmarks.record_sequences OUT.json

Needs a CUDA build of PyTorch and a device, or stub CUDA libraries that stand for one. Sizes are those asked for, in
order: positive when taken, negative when given back.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path

import torch

from benchmarks.operator_cases import operator_cases, run, warm_up

ENTRIES = 1_000_000


def record(program: Callable[[], object]) -> list[int]:
    """Run a program and return its requests."""
    gc.collect()
    torch.cuda.memory._record_memory_history(None)
    torch.cuda.memory._record_memory_history(enabled="all", context=None, max_entries=ENTRIES)
    kept = run(program)
    events = torch.cuda.memory._snapshot()["device_traces"][0]
    del kept
    signs = {"alloc": 1, "free_completed": -1}
    return [signs[event["action"]] * event["size"] for event in events if event["action"] in signs]


def main(path: str) -> None:
    """Record all cases for the device that is there."""
    warm_up()
    found = {name: record(program) for name, program in operator_cases().items()}
    Path(path).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
