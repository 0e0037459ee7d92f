"""Training with TensorFlow: where models are fitted or gradient tapes are applied, and the pipelines that feed them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, With
from dnnlint.program.values import Element, FunctionValue, Member, Place, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.facts import Block, Loop
    from dnnlint.program import Program

_WRAPPERS = ("builtins.enumerate", "builtins.zip", "builtins.iter", "tqdm.tqdm", "tqdm.auto.tqdm")
_MAX_LINKS = 30


def fits(program: Program) -> list[Call]:
    """The calls of ``fit`` on an object that the file compiles: a Keras model, not an estimator of scikit-learn."""
    compiled = {key for call in program.resolver.sites_named("compile") for key in _receivers(program, call)}
    return [call for call in program.resolver.sites_named("fit") if _receivers(program, call) & compiled]


def _receivers(program: Program, call: Call) -> set[object]:
    func = call.node.func
    return {v.key for v in program.resolve(func.value, call)} if isinstance(func, cst.Attribute) else set()


def tapes(program: Program) -> list[With]:
    """The ``with tf.GradientTape()`` blocks of functions, or modules, that apply gradients."""
    applied = {id(call.block.function) for call in program.resolver.sites_named("apply_gradients")}
    found = []
    for statement in program.facts.withs:
        made = (node for node in statement.contexts if isinstance(node, cst.Call))
        names = {node.func.attr.value for node in made if isinstance(node.func, cst.Attribute)}
        if "GradientTape" in names and id(statement.block.function) in applied:
            found.append(statement)
    return found


def training_pipelines(program: Program) -> Iterator[tuple[Call | Loop, Ref]]:
    """What trains (a ``fit`` or a loop with a gradient tape) and the expression of its data."""
    for call in fits(program):
        given = program.argument(call, "x", 0)
        if given is not None:
            yield call, given
    recorded = tapes(program)
    for loop in program.facts.loops if recorded else ():
        place = Place(program.resolver.frame_of(loop.block.function), loop.block, loop.order)
        if loop.iterable is not None and _trains(program, loop, recorded):
            yield loop, _unwrapped(program, Ref(loop.iterable, place))


def _trains(program: Program, loop: Loop, recorded: list[With]) -> bool:
    """Whether a tape lies directly in a loop, or in a function that is called directly in it."""
    if any(statement.block.within(loop.body) and _innermost(program, statement.block, loop) for statement in recorded):
        return True
    functions = {id(statement.block.function) for statement in recorded} - {id(None)}
    for call in program.facts.calls if functions else ():
        if call.block.within(loop.body) and _innermost(program, call.block, loop):
            values = program.resolve(call.node.func, call)
            if any(isinstance(v, FunctionValue) and id(v.function) in functions for v in values):
                return True
    return False


def _innermost(program: Program, block: Block, loop: Loop) -> bool:
    inner = [other for other in program.facts.loops if other is not loop and other.body.within(loop.body)]
    return not any(block.within(other.body) for other in inner)


def _unwrapped(program: Program, ref: Ref) -> Ref:
    """The data inside ``enumerate`` and progress bars."""
    for _ in range(4):
        values = program.resolver.resolve(ref)
        made = values[0] if len(values) == 1 else None
        if not isinstance(made, Result) or made.qualified not in _WRAPPERS or not made.node.args:
            return ref
        ref = Ref(made.node.args[-1 if made.qualified == "builtins.zip" else 0].value, made.place)
    return ref


def chain_of(program: Program, data: Ref) -> list[Result] | None:
    """The calls that make up a ``tf.data`` pipeline, the source first; None where a part of it does not show."""
    values = program.resolver.resolve(data)
    links: list[Result] = []
    while len(links) < _MAX_LINKS:
        value: Value | None = values[0] if len(values) == 1 else None
        if not isinstance(value, Result):
            return None
        links.append(value)
        if value.qualified.startswith("tensorflow.data."):
            return links[::-1]
        if not isinstance(value.callee, Member) or isinstance(value.callee.base, Element):
            return None
        func, base = value.node.func, value.callee.base
        receiver = func.value if isinstance(func, cst.Attribute) else None
        if isinstance(receiver, cst.Call) and getattr(base, "node", None) is not receiver:
            # Values look through some methods, such as apply(), that change a pipeline.
            return None
        values = (base,)
    return None
