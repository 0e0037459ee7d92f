"""DNN704: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.calling import has_unknown_arguments
from dnnlint.program.values import Element, Member, Operation, Place, Ref, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_DISTRIBUTED = ("torch.distributed.init_process_group", "torch.distributed.device_mesh.init_device_mesh")
_MAX_DEPTH = 8


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report torch.load of a state dict without map_location in a script that uses CUDA."""
    loads = [call for call in program.calls_to("torch.load") if _takes_saved_place(program, call)]
    where = _devices(program) if loads else ""
    if not where or _has_default_device(program):
        return
    restored = _restored(program)
    for call in loads:
        if id(call.node) in restored:
            yield _report(program, call, where, fixable=True)
        elif program.roles.any_of(program.resolve(call.node, call), "model"):
            yield _report(program, call, where, fixable=False)


def _takes_saved_place(program: Program, call: Call) -> bool:
    if has_unknown_arguments(program.resolver, call.node, program.place_of(call)) or not call.node.args:
        return False
    return program.argument(call, "map_location", 1) is None


def _devices(program: Program) -> str:
    """What the script runs on: several processes, CUDA, or nothing that the file shows."""
    if program.calls_to(*_DISTRIBUTED) or program.resolver.sites_named("DistributedDataParallel"):
        return "several processes"
    if program.resolver.sites_named("cuda") or any("cuda" in call.chain for call in program.facts.calls):
        return "CUDA"
    return "CUDA" if any(_names_cuda(unit.module) for unit in program.linker.units) else ""


def _names_cuda(node: cst.CSTNode) -> bool:
    """Whether a device string such as "cuda" or "cuda:0" stands anywhere in the code."""
    queue: list[cst.CSTNode] = [node]
    while queue:
        current = queue.pop()
        text = current.value if isinstance(current, (cst.SimpleString, cst.FormattedStringText)) else ""
        if text.strip("\"'").startswith("cuda"):
            return True
        queue.extend(current.children)
    return False


def _has_default_device(program: Program) -> bool:
    """``with torch.device("cpu"):`` and a default device decide where tensors are loaded to."""
    placed = {id(node) for block in program.facts.withs for node in block.contexts}
    in_blocks = any(id(call.node) in placed for call in program.calls_to("torch.device"))
    return in_blocks or bool(program.calls_to("torch.set_default_device"))


def _restored(program: Program) -> set[int]:
    """The calls whose result, or a part of it, goes into a ``load_state_dict``."""
    found: set[int] = set()
    for call in program.resolver.sites_named("load_state_dict"):
        for argument in call.node.args[:1]:
            _add_origins(program, Ref(argument.value, program.place_of(call)), found, 0)
    return found


def _add_origins(program: Program, ref: Ref, found: set[int], depth: int) -> None:
    if depth > _MAX_DEPTH:
        return
    for value in program.resolver.resolve(ref):
        origin = _origin(value)
        if isinstance(origin, Result):
            found.add(id(origin.node))
            for argument in origin.node.args:
                _add_origins(program, Ref(argument.value, origin.place), found, depth + 1)
        else:
            for node, place in _renamed(program, ref):
                _add_origins(program, Ref(node, place), found, depth + 1)


def _origin(value: Value) -> Value:
    """What an element or a method such as ``get`` was taken from."""
    while True:
        if isinstance(value, (Element, Member)):
            value = value.base
        elif isinstance(value, Result) and isinstance(value.callee, Member):
            value = value.callee.base
        else:
            return value


def _renamed(program: Program, ref: Ref) -> Iterator[tuple[cst.BaseExpression, Place]]:
    """``{name.removeprefix("module."): t for name, t in state.items()}``: what the comprehension runs over."""
    for value in program.resolver.resolve(ref):
        if isinstance(value, Operation) and isinstance(value.ref.node, cst.DictComp):
            yield value.ref.node.for_in.iter, value.ref.place


def _report(program: Program, call: Call, where: str, fixable: bool) -> Report:
    if where == "CUDA":
        target = "the tensors go to the GPU that they were saved from, beside those of the model"
    else:
        target = "each loads the tensors onto the GPU of the one that saved"
    # A whole model that is loaded to the CPU would stay there; a state dict is copied to where the model is.
    edits = (NodeEdit("after", call.node.args[-1].value, ', map_location="cpu"'),) if fixable else ()
    return Report(
        call.node,
        f"{quoted(program, call.node)} has no `map_location` in a script that runs on {where}: {target}.",
        'Load with `map_location="cpu"`, or to the device of this process, and let `load_state_dict()` copy.',
        edits=edits,
        fix_description="Load the checkpoint to the CPU.",
    )


RULE = Rule(
    code="DNN704",
    name="load-without-map-location",
    severity=Severity.WARNING,
    clause="S5.2.1",
    check=check,
    fix=FixSafety.SAFE,
)
