"""DNN405: worker processes that are forked use CUDA."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.program.contents import calls_of
from dnnlint.program.loaders import LOADERS
from dnnlint.program.residence import moved_to_cuda
from dnnlint.program.values import Place
from dnnlint.program.wording import quoted
from dnnlint.program.workers import are_forked, has_workers, worker_functions
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report calls that put tensors on CUDA in the datasets and collate functions of forked workers."""
    for loader in program.calls_to(*LOADERS):
        if not has_workers(program, loader) or not are_forked(program, loader):
            continue
        for function, body in worker_functions(program, loader):
            for call in calls_of(function):
                if moved_to_cuda(program, call.node, Place(body.frame, call.block, call.order)):
                    yield Report(
                        # Files of data alone are no part of the program: there the loader is what can be pointed at.
                        call.node if program.is_own(call.block) else loader.node,
                        f"{quoted(program, call.node)} uses CUDA in a worker process of "
                        f"{quoted(program, loader.node, 40)}: a forked process cannot initialise CUDA again.",
                        "Return tensors on the CPU, and move the batch to the device in the loop.",
                    )


RULE = Rule(
    code="DNN405",
    name="cuda-in-worker",
    severity=Severity.ERROR,
    clause="S3.1.1a",
    check=check,
)
