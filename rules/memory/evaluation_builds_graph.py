"""DNN502: the forward passes of an evaluation record a graph that no backward uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import FixSafety, Severity
from dnnlint.program.evaluations import Evaluation, evaluations, model_sites
from dnnlint.program.grad_mode import SWITCHES_OFF, GradMode
from dnnlint.program.tree import Activation, Event, Kind, ancestors, events
from dnnlint.program.values import Element, Object, Ref, Result, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
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
        forward = found.forward
        if id(forward.call) in reported or id(found.region) in regions or not _records(program, mode, found):
            continue
        reported.add(id(forward.call))
        regions.add(id(found.region))
        yield _report(program, found)


def _has_evaluation(program: Program) -> bool:
    sites = program.resolver.sites_named
    return bool(sites("eval") or sites("train") or sites("backward"))


def _records(program: Program, mode: GradMode, found: Evaluation) -> bool:
    forward = found.forward
    if not mode.records(forward) or mode.uses_gradients(forward) or mode.in_hook_of_framework(forward):
        return False
    return not _is_frozen(program, forward) and not _switches_itself(mode, forward)


def _switches_itself(mode: GradMode, forward: Event) -> bool:
    """Whether a project model switches autograd off in its own ``forward``."""
    for target in forward.targets:
        method = target.cls.methods.get("forward") if isinstance(target, Object) else None
        if method is not None and mode.may_switch(method):
            return True
    return False


def _is_frozen(program: Program, forward: Event) -> bool:
    """Whether the parameters of the model are told to ask for no gradients anywhere in the file."""
    sites = model_sites(program, forward.targets)
    return any(_owners(program, ref) & sites for ref in _frozen(program))


def _frozen(program: Program) -> Iterator[Ref]:
    """What ``x.requires_grad_(False)`` and ``x.requires_grad = False`` are applied to."""
    for call in program.resolver.sites_named("requires_grad_"):
        func = call.node.func
        if isinstance(func, cst.Attribute) and call.node.args and _is_false(call.node.args[0].value):
            yield Ref(func.value, program.place_of(call))
    for assign in program.facts.assigns:
        target = assign.target
        if isinstance(target, cst.Attribute) and target.attr.value == "requires_grad" and _is_false(assign.value):
            place = program.place_of(assign)
            yield Ref(target.value, place)


def _is_false(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "False"


def _owners(program: Program, ref: Ref) -> frozenset[object]:
    """The models that a model expression or one of their parameters belongs to."""
    values: list[Value] = []
    for value in program.resolver.resolve(ref):
        made = value.base if isinstance(value, Element) else value
        if isinstance(made, Result) and made.method == "parameters":
            func = made.node.func
            if isinstance(func, cst.Attribute):
                values.extend(program.resolver.resolve(Ref(func.value, made.place)))
        else:
            values.append(made)
    return model_sites(program, tuple(values))


def _report(program: Program, found: Evaluation) -> Report:
    call = found.forward.call.node
    assert isinstance(call, cst.Call)
    state = "in evaluation mode" if found.switched is not None else "in an evaluation"
    message = f"{quoted(program, call)} {state} records an autograd graph that no backward uses"
    if _has_misplaced_switch(program, found.forward):
        message += "; the `no_grad` or `inference_mode` of this function does not cover it"
    function = _fixable_function(program, found)
    edits = (NodeEdit("line-before", function, f"@{_torch_name(program)}.no_grad()"),) if function else ()
    advice = _HELP_ASYNC if _is_async(found) else _HELP
    return Report(call, f"{message}.", advice, edits=edits, fix_description="Decorate the function with `no_grad`.")


def _is_async(found: Evaluation) -> bool:
    """Whether the call of the function only makes a coroutine: a decorator has ended before the body runs."""
    function = found.forward.call.block.function
    return (
        function is not None and isinstance(function.node, cst.FunctionDef) and function.node.asynchronous is not None
    )


def _has_misplaced_switch(program: Program, forward: Event) -> bool:
    function = forward.call.block.function
    return any(call.block.function is function for call in program.calls_to(*SWITCHES_OFF))


def _fixable_function(program: Program, found: Evaluation) -> cst.FunctionDef | None:
    """The function to decorate: the innermost one, where it holds the whole evaluation and yields nothing."""
    outer = next((node for node in ancestors(found.forward) if isinstance(node, Activation)), None)
    if outer is None or outer.function.is_generator or not _torch_name(program):
        return None
    node = outer.function.node
    if (
        events(outer, Kind.BACKWARD, Kind.STEP)
        or not isinstance(node, cst.FunctionDef)
        or node.asynchronous is not None
    ):
        return None
    return node


def _torch_name(program: Program) -> str:
    """The name under which the module imports torch, or an empty string."""
    for name, bindings in program.facts.body.scope.bindings.items():
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
