"""DNN402: batches copied to the GPU from pageable memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import FixSafety, Severity
from dnnlint.program.datasets import lies_on_device
from dnnlint.program.loader_arguments import feeds_cuda, is_off, switch_on
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report loaders without pinned memory whose batches a loop moves to CUDA."""
    for call in program.calls_to(*LOADERS):
        if not is_off(program, call, "pin_memory") or not feeds_cuda(program, call):
            continue
        datasets, _ = choices(program, call, "dataset")
        if any(dataset is not None and lies_on_device(program, dataset) for dataset in datasets):
            continue
        yield Report(
            call.node,
            f"{quoted(program, call.node)} feeds CUDA with `pin_memory` off: each copy is staged and blocks the host.",
            "Set `pin_memory=True`, and move the batch with `.to(device, non_blocking=True)`.",
            edits=switch_on(call, "pin_memory"),
            fix_description="Set `pin_memory=True`.",
        )


RULE = Rule(
    code="DNN402",
    name="no-pin-memory",
    severity=Severity.ADVICE,
    clause="S3.1.1a",
    check=check,
    fix=FixSafety.SAFE,
)
