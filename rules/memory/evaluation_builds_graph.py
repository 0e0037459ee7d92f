"""DNN502: the forward passes of an evaluation record a graph that no backward uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import FixSafety, Severity
from dnnlint.program.evaluations import Evaluation, evaluations
from dnnlint.program.frozen import Frozen
from dnnlint.program.grad_mode import SWITCHES_OFF, GradMode
from dnnlint.program.tree import Activation, Event, Kind, Repeat, ancestors, events, loops_around
from dnnlint.program.values import Object
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Block
    from dnnlint.program import Program

_HELP = "Put the forward pass into `with torch.no_grad():`, or decorate the function with it."
_HELP_ASYNC = "Put the forward pass into `with torch.no_grad():`."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first forward pass of each evaluation that autograd records."""
    if not program.imports("torch") or not _has_evaluation(program):
        return
    mode = GradMode(program)
    if mode.switched_by_call():
        return
    regions: set[int] = set()
    reported: set[int] = set()
    for found in evaluations(program):
        if (
            id(found.call) in reported
            or ({id(found.region)} | _loops_of(found)) & regions
            or not _records(program, mode, found)
            or _is_part(found)
        ):
            continue
        reported.add(id(found.call))
        regions |= {id(found.region), *_loops_of(found)}
        yield _report(program, found)


def _loops_of(found: Evaluation) -> set[int]:
    """The innermost loop around the call in the evaluation: one finding says what holds for its other calls."""
    return {id(loop) for loop in loops_around(found.at)[:1]}


def _is_part(found: Evaluation) -> bool:
    """Whether a network runs a part of itself in a method named as an evaluation: its callers may differentiate it."""
    return found.in_module and isinstance(found.at, Event) and not isinstance(found.region, Repeat)


def _has_evaluation(program: Program) -> bool:
    sites = program.resolver.sites_named
    return bool(sites("eval") or sites("train") or sites("backward"))


def _records(program: Program, mode: GradMode, found: Evaluation) -> bool:
    forward = found.forward
    if not mode.records(forward) or mode.uses_gradients(forward) or mode.in_hook_of_framework(forward):
        return False
    return not Frozen(program).holds(forward.targets) and not _switches_itself(mode, forward)


def _switches_itself(mode: GradMode, forward: Event) -> bool:
    """Whether a project model switches autograd off in its own ``forward``."""
    for target in forward.targets:
        method = target.cls.methods.get("forward") if isinstance(target, Object) else None
        if method is not None and mode.may_switch(method):
            return True
    return False


def _report(program: Program, found: Evaluation) -> Report:
    call = found.call.node
    state = "in evaluation mode" if found.switched is not None else "in an evaluation"
    message = f"{quoted(program, call)} {state} records an autograd graph that no backward uses"
    if _has_misplaced_switch(program, found.forward):
        message += "; the `no_grad` or `inference_mode` of this function does not cover it"
    function = _fixable_function(program, found)
    edits = (
        (NodeEdit("line-before", function, f"@{_torch_name(program, found.call.block)}.no_grad()"),) if function else ()
    )
    advice = _HELP_ASYNC if _is_async(found) else _HELP
    return Report(call, f"{message}.", advice, edits=edits, fix_description="Decorate the function with `no_grad`.")


def _is_async(found: Evaluation) -> bool:
    """Whether the call of the function only makes a coroutine: a decorator has ended before the body runs."""
    function = found.call.block.function
    return (
        function is not None and isinstance(function.node, cst.FunctionDef) and function.node.asynchronous is not None
    )


def _has_misplaced_switch(program: Program, forward: Event) -> bool:
    function = forward.call.block.function
    return any(call.block.function is function for call in program.calls_to(*SWITCHES_OFF))


def _fixable_function(program: Program, found: Evaluation) -> cst.FunctionDef | None:
    """The function to decorate: the innermost one, where it holds the whole evaluation and yields nothing."""
    outer = next((node for node in ancestors(found.at) if isinstance(node, Activation)), None)
    if outer is None or outer.function.is_generator or not _torch_name(program, found.call.block):
        return None
    node = outer.function.node
    if (
        events(outer, Kind.BACKWARD, Kind.STEP)
        or not isinstance(node, cst.FunctionDef)
        or node.asynchronous is not None
    ):
        return None
    return node


def _torch_name(program: Program, block: Block) -> str:
    """The name under which the module of a block imports torch, or an empty string."""
    for name, bindings in program.linker.unit_of(block.scope).scope.bindings.items():
        if any(binding.kind == "import" and binding.value == "torch" for binding in bindings):
            return name
    return ""


RULE = Rule(
    code="DNN502",
    name="evaluation-builds-graph",
    severity=Severity.ERROR,
    clause="S5.1.1",
    check=check,
    fix=FixSafety.UNSAFE,
)
