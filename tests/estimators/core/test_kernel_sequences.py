"""Requests to the allocator, against sequences recorded from PyTorch's own CUDA dispatcher.

``kernel_sequences.json`` holds, for each compute capability and case, the sizes asked for (positive) and given back
(negative), in order, by PyTorch 2.14.1 running against stub CUDA libraries.
"""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

from benchmarks.operator_cases import operator_cases, run, warm_up
from dnnlint.estimators.simulation import SimulatedDevice, simulate

RECORDED: dict[str, dict[str, list[int]]] = json.loads(
    (Path(__file__).parent / "kernel_sequences.json").read_text(encoding="utf-8")
)
MULTIPROCESSORS = {"7.5": 40, "8.0": 108, "9.0": 132}
CASES = operator_cases()

SPLIT_ATTENTION = {
    "8.0": {f"attention with heads of {size}, float16" for size in (32, 64, 96, 128, 160)},
    "9.0": {"attention with heads of 160, float16"},
}
"""Flash attention with split keys takes its buffers between its results; here they come after them."""


def _rounded(size: int) -> int:
    blocks = max(512, -(-abs(size) // 512) * 512)
    return blocks if size > 0 else -blocks


@pytest.mark.parametrize(
    ("capability", "name"), [(capability, name) for capability, found in RECORDED.items() for name in found]
)
def test_sequence_is_that_of_the_dispatcher(capability: str, name: str) -> None:
    """Every block is taken and given back in the order in which CUDA does it."""
    major, _, minor = capability.partition(".")
    device = SimulatedDevice((int(major), int(minor)), multiprocessors=MULTIPROCESSORS[capability])
    with simulate(device) as simulation:
        warm_up()
        recorder = simulation.recorder
        before = len(recorder.events)
        kept = run(CASES[name])
        events = recorder.events[before:]
        sizes = [recorder.sizes[abs(event) - 1] * (1 if event > 0 else -1) for event in events]
    del kept
    made = [_rounded(size) for size in sizes if size]
    recorded = [_rounded(size) for size in RECORDED[capability][name]]
    if name in SPLIT_ATTENTION.get(capability, ()):
        assert sorted(made) == sorted(recorded)
        assert max(accumulate(made)) == max(accumulate(recorded))
    else:
        assert made == recorded
