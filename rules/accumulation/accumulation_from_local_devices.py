"""DNN211: the number of micro-batches is worked out from the GPUs of one machine instead of the world size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import dotted
from dnnlint.finding import Severity
from dnnlint.program.ingredients import ingredients
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL
from dnnlint.program.values import Ref, Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program

_OPTIONS = ("gradient_accumulation_steps", "accumulate_grad_batches")
_TAKERS = frozenset({"Accelerator", "TrainingArguments", "Seq2SeqTrainingArguments", "Trainer", "SFTConfig"})
_COUNTS = ("torch.cuda.device_count", "torch.accelerator.device_count", "torch.xpu.device_count")
_LOCAL = "LOCAL_WORLD_SIZE"
# Names that bring the number of machines in.
_ALL_RANKS = ("world", "node", "machine", "host", "num_processes", "replica")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the local count in each accumulation factor of a distributed program."""
    counts = [*program.calls_to(*_COUNTS), *_environment(program)]
    if not counts or not _is_distributed(program) or _is_one_machine(program):
        return
    for factor in _factors(program):
        parts = list(ingredients(program, factor))
        if any(_knows_all_ranks(part) for part in parts):
            continue
        for part in parts:
            if isinstance(part.node, cst.Call) and _is_local_count(program, part):
                number, count = quoted(program, factor.node), quoted(program, part.node)
                message = f"{number} counts micro-batches by {count}, the devices of one machine only."
                yield Report(part.node, message, "Divide by `torch.distributed.get_world_size()`.")


def _environment(program: Program) -> list[Call]:
    return [call for call in program.facts.calls if call.attribute in ("get", "getenv") and _reads_local(call.node)]


def _reads_local(node: cst.Call) -> bool:
    first = node.args[0].value if node.args else None
    return isinstance(first, cst.SimpleString) and first.evaluated_value == _LOCAL


def _is_distributed(program: Program) -> bool:
    made = ("torch.distributed.init_process_group", "accelerate.Accelerator", *DISTRIBUTED_DATA_PARALLEL)
    return bool(program.calls_to(*made))


def _is_one_machine(program: Program) -> bool:
    """Whether the process group is as large as the machine, or the program starts its processes on one."""
    for call in program.calls_to("torch.distributed.init_process_group"):
        given = program.argument(call, "world_size", 2)
        if given is None:
            continue
        if any(isinstance(v, Result) and v.qualified in _COUNTS for v in program.resolver.resolve(given)):
            return True
        parts = list(ingredients(program, given))
        if any(_is_local_count(program, part) for part in parts) and not any(_multiplies(part) for part in parts):
            return True
    return False


def _multiplies(part: Ref) -> bool:
    return isinstance(part.node, cst.BinaryOperation) and isinstance(part.node.operator, cst.Multiply)


def _factors(program: Program) -> Iterator[Ref]:
    """The numbers of micro-batches: of the loops of the file, and as options of frameworks."""
    for loop in program.training_loops:
        if loop.accumulation is not None and loop.accumulation.factor is not None:
            yield loop.accumulation.factor
    for call in program.facts.calls:
        if call.attribute in _TAKERS:
            for name in _OPTIONS:
                given = program.argument(call, name)
                if given is not None:
                    yield given


def _is_local_count(program: Program, part: Ref) -> bool:
    if not isinstance(part.node, cst.Call):
        return False
    if _reads_local(part.node):
        return True
    return any(
        isinstance(value, Result) and value.node is part.node and value.qualified in _COUNTS
        for value in program.resolver.resolve(part)
    )


def _knows_all_ranks(part: Ref) -> bool:
    """``WORLD_SIZE``, ``get_world_size()``, ``args.nodes``: something that grows with the number of machines."""
    node = part.node
    if isinstance(node, cst.SimpleString):
        return node.evaluated_value == "WORLD_SIZE"
    name = dotted(node.func) if isinstance(node, cst.Call) else dotted(node)
    last = name.rsplit(".", 1)[-1].lower()
    return "local" not in last and any(word in last for word in _ALL_RANKS)


RULE = Rule("DNN211", "accumulation-from-local-devices", Severity.WARNING, "S3.2.1a", check)
