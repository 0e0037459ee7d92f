"""DNN802: a training script on CUDA that never reads how much memory it took."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.residence import moved_to_cuda
from dnnlint.program.scripts import (
    TRACKERS,
    attribute_names,
    called_parts,
    is_unknown_inside,
    script_loops,
)
from dnnlint.program.unknown_calls import is_library
from dnnlint.program.values import ClassValue, FunctionValue, Object, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_READS = re.compile(
    r"memory_|mem_get_info|_memory|memory$|gpu_?mem|max_?mem|vram|nvml|gpustat|nvitop|nvidia|profil", re.I
)
_PLACES_MEMORY = frozenset(
    {"pin_memory", "share_memory", "share_memory_", "memory_format", "is_pinned", "memory_efficient"}
)
_MAY_READ = re.compile(
    r"log|mem|(?<!ra)meter|metric|report|print|track|monitor|stat(?!e)|callback|hook|record|summar|gpu|usage", re.I
)
_MONITORS = ("pynvml", "py3nvml", "GPUtil", "nvitop", "gpustat", "torch.profiler", "deepspeed", "accelerate.tracking")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first training loop of a script that moves to CUDA and reads no memory figure."""
    sites = program.resolver.sites_named
    if not any(_moves(program, call) for name in ("cuda", "to") for call in sites(name)):
        return
    loops = [] if program.imports(*TRACKERS, *_MONITORS) else script_loops(program)
    if not loops or _reads_memory(program) or any(_may_read(program, call) for call in program.facts.calls):
        return
    for loop in loops:
        backward = next(iter(loop.backwards), None)
        if backward is not None and not is_unknown_inside(program, loop):
            yield Report(
                backward.call.node,
                f"{quoted(program, backward.call.node)} trains on CUDA, and the script reads no memory figure.",
                "Log `torch.cuda.max_memory_allocated()` with the metrics, once an epoch.",
            )
            return


def _moves(program: Program, call: Call) -> bool:
    return isinstance(call.node.func, cst.Attribute) and bool(moved_to_cuda(program, call.node, program.place_of(call)))


def _reads_memory(program: Program) -> bool:
    """Whether something in the program is named like a reading of GPU memory."""
    names = {part for call in program.facts.calls for part in called_parts(call)}
    names |= attribute_names(program)
    names |= {part for name, _ in program.facts.imports for part in name.split(".")}
    names |= {function.name for function in program.facts.functions}
    return any(_READS.search(name) for name in names - _PLACES_MEMORY)


def _may_read(program: Program, call: Call) -> bool:
    """Whether a function that the program does not show is named like one that logs."""
    if not any(_MAY_READ.search(part) for part in called_parts(call)):
        return False
    values = program.resolve(call.node.func, call)
    return not values or not all(_reads_none(program, value) for value in values)


def _reads_none(program: Program, value: Value) -> bool:
    """Whether a called thing is of the project, and its file names no reading, or of a library."""
    if isinstance(value, FunctionValue):
        scope = value.function.scope
    elif isinstance(value, (ClassValue, Object)):
        scope = value.cls.scope
    else:
        return is_library(value)
    unit = program.linker.unit_of(scope)
    return unit in program.linker.units or _READS.search(unit.text) is None


RULE = Rule("DNN802", "no-memory-logging", Severity.ADVICE, "S4.1.2", check)
