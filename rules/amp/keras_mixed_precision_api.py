"""DNN110: removed mixed-precision names of TensorFlow, and float16 gradients of a custom loop without loss scaling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import dotted, qualified_names
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.values import Const, Element, External, Member, Ref, Result, Setting, Value
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program

# Old name below ``tf.`` or ``keras.`` -> new name, and whether the arguments stay the same.
_MOVED = {
    "mixed_precision.experimental.set_policy": ("mixed_precision.set_global_policy", True),
    "mixed_precision.experimental.global_policy": ("mixed_precision.global_policy", True),
    "mixed_precision.experimental.Policy": ("mixed_precision.Policy", True),
    "mixed_precision.experimental.LossScaleOptimizer": ("mixed_precision.LossScaleOptimizer", False),
}
# The graph rewrite and the loss-scale objects have no successor of the same shape.
_REPLACED = {
    "tensorflow.train.experimental.enable_mixed_precision_graph_rewrite": "mixed_precision.set_global_policy",
    "tensorflow.train.experimental.DynamicLossScale": "mixed_precision.LossScaleOptimizer",
    "tensorflow.train.experimental.FixedLossScale": "mixed_precision.LossScaleOptimizer",
    "tensorflow.mixed_precision.experimental.DynamicLossScale": "mixed_precision.LossScaleOptimizer",
    "tensorflow.mixed_precision.experimental.FixedLossScale": "mixed_precision.LossScaleOptimizer",
}
_KERAS = ("keras", "tensorflow.keras")
_POLICY_SETTERS = ("set_global_policy", "set_policy")
_SCALES = ("scale_loss", "get_scaled_loss", "get_unscaled_gradients", "LossScaleOptimizer")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report removed names first, then custom loops."""
    if not program.imports("tensorflow", "keras"):
        return
    for call in program.facts.calls:
        yield from _removed(program, call)
    if _trains_in_float16(program) and not any(program.resolver.sites_named(name) for name in _SCALES):
        yield from _custom_loops(program)


def _removed(program: Program, call: Call) -> Iterator[Report]:
    for name in qualified_names(call):
        root = next((root for root in _KERAS if name.startswith(f"{root}.")), None)
        new, same = _MOVED.get(name[len(root) + 1 :] if root else "", ("", False))
        if not new:
            root, new = "tensorflow.keras", _REPLACED.get(name, "")
        if new:
            spelled = f"{'tf.keras' if root == 'tensorflow.keras' else root}.{new}"
            yield Report(
                call.node,
                f"`{name.replace('tensorflow.', 'tf.', 1)}` is a name that current releases have removed.",
                f"Use `{spelled}`.",
                edits=_renaming(call, new) if same else (),
                fix_description=f"Use `{spelled}`.",
            )


def _renaming(call: Call, new: str) -> tuple[NodeEdit, ...]:
    """``experimental`` taken out of a name that is spelled in full; a name imported from there stays."""
    text = dotted(call.node.func)
    given = {entry.keyword.value for entry in call.node.args if entry.keyword is not None}
    head, found, _ = text.partition("mixed_precision.experimental.")
    if not found or "loss_scale" in given:
        return ()
    return (NodeEdit("replace", call.node.func, head + new),)


def _trains_in_float16(program: Program) -> bool:
    """Whether the global policy is certainly ``mixed_float16``, or is by the default of an option."""
    for name in _POLICY_SETTERS:
        for call in program.resolver.sites_named(name):
            if not any(n.startswith(_KERAS) for n in qualified_names(call)):
                continue
            given = program.argument(call, "policy", 0)
            found = program.resolver.resolve(given) if given is not None else ()
            if found and all(_is_mixed_float16(program, value) for value in found):
                return True
    return False


def _is_mixed_float16(program: Program, value: Value) -> bool:
    if isinstance(value, Const):
        return value.value == "mixed_float16"
    if isinstance(value, Setting):
        return bool(value.defaults) and all(_is_mixed_float16(program, v) for v in value.defaults)
    if isinstance(value, Result) and value.qualified.endswith(".Policy") and value.node.args:
        inner = program.resolver.resolve(Ref(value.node.args[0].value, value.place))
        return bool(inner) and all(_is_mixed_float16(program, v) for v in inner)
    return False


def _custom_loops(program: Program) -> Iterator[Report]:
    """Gradients of a tape that a plain optimizer applies, in the function (or module) that takes them."""
    applied = [c for c in program.resolver.sites_named("apply_gradients") if _is_plain_optimizer(program, c)]
    for call in program.resolver.sites_named("gradient"):
        func = call.node.func
        if not isinstance(func, cst.Attribute) or not any(a.block.function is call.block.function for a in applied):
            continue
        if any(_is_tape(value) for value in program.resolve(func.value, call)):
            message = f"{quoted(program, call.node)} takes float16 gradients of a loss that nothing scales."
            advice = "Wrap the optimizer in `LossScaleOptimizer` and differentiate its scaled loss."
            yield Report(call.node, message, advice, Severity.ERROR)


def _is_tape(value: Value) -> bool:
    made = value.base if isinstance(value, (Element, Member)) else value
    return isinstance(made, Result) and made.qualified == "tensorflow.GradientTape"


def _is_plain_optimizer(program: Program, call: Call) -> bool:
    """An optimizer that Keras made and nothing wraps; one that comes from elsewhere may scale by itself."""
    func = call.node.func
    values = program.resolve(func.value, call) if isinstance(func, cst.Attribute) else ()
    return bool(values) and all(
        isinstance(v, Result)
        and isinstance(v.callee, External)
        and v.qualified.startswith(("keras.optimizers.", "tensorflow.keras.optimizers.", "tensorflow.optimizers."))
        and not v.qualified.endswith(".get")
        for v in values
    )


RULE = Rule("DNN110", "keras-mixed-precision-api", Severity.WARNING, "S3.2.2a", check, FixSafety.SAFE)
