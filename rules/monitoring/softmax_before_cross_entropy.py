"""DNN804: a loss gets probabilities where it takes logits, or logits where it takes probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Call, Function
from dnnlint.finding import Severity
from dnnlint.program.attributes import object_member
from dnnlint.program.calling import argument
from dnnlint.program.outputs import LOG_SOFTMAX, LOGITS, SIGMOID, SOFTMAX, Output, output_of
from dnnlint.program.roles import last_name
from dnnlint.program.values import External, Frame, FunctionValue, Object, Place, Ref, Result
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_MODULES = {
    "CrossEntropyLoss": "cross_entropy",
    "NLLLoss": "nll_loss",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
}
# What each loss must not get, with what it does to it, and what to do instead.
_WRONG = {
    "cross_entropy": {
        SOFTMAX: "applies `log_softmax` itself",
        SIGMOID: "applies `log_softmax` itself",
    },
    "binary_cross_entropy_with_logits": {
        SOFTMAX: "applies `sigmoid` itself",
        SIGMOID: "applies `sigmoid` itself",
    },
    "nll_loss": {
        SOFTMAX: "takes logarithms of probabilities",
        SIGMOID: "takes logarithms of probabilities",
        LOGITS: "takes logarithms of probabilities",
    },
    "binary_cross_entropy": {
        LOG_SOFTMAX: "takes probabilities",
        LOGITS: "takes probabilities",
    },
}
_HELP = {
    "cross_entropy": "Give the loss the logits, and apply `softmax` where probabilities are shown or measured.",
    "binary_cross_entropy_with_logits": "Give the loss the logits, and apply `sigmoid` where predictions are made.",
    "nll_loss": "Give the logits to `cross_entropy`, or end the network in `log_softmax`.",
    "binary_cross_entropy": "Give the logits to `BCEWithLogitsLoss`, which applies `sigmoid` in a stable form.",
}


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the calls of a loss of PyTorch whose input went last through the wrong function."""
    wanted = (*_MODULES, *_WRONG)
    if not any(program.resolver.sites_named(name) for name in wanted):
        return
    losses: dict[Function, list[Call]] = {}
    for call in program.facts.calls:
        place = program.place_of(call)
        if call.block.function is not None and _loss_of(program, call, place):
            losses.setdefault(call.block.function, []).append(call)
        wrong = _wrong(program, call, place)
        if wrong is not None:
            yield _report(program, call, call, *wrong)
    for call in program.facts.calls if losses else ():
        for inner, frame in _inside(program, call, losses):
            wrong = _wrong(program, inner, Place(frame, inner.block, inner.order))
            if wrong is not None and _wrong(program, inner, program.place_of(inner)) is None:
                yield _report(program, call, inner, *wrong)


def _wrong(program: Program, call: Call, place: Place) -> tuple[str, Output] | None:
    """The loss that a call computes and what its input went through, where the two do not fit."""
    loss = _loss_of(program, call, place)
    given = argument(program.resolver, call.node, place, "input", 0) if loss else None
    output = output_of(program, given) if given is not None else None
    return (loss, output) if output is not None and output.kind in _WRONG[loss] else None


def _inside(program: Program, call: Call, losses: dict[Function, list[Call]]) -> Iterator[tuple[Call, Frame]]:
    """The losses that a loss module of the project computes when it is called, with the frame of its ``forward``."""
    for value in program.resolve(call.node.func, call):
        if isinstance(value, Object) and program.roles.is_module_class(value):
            for method in object_member(program.resolver, value, "forward"):
                if isinstance(method, FunctionValue) and method.function in losses:
                    frame = program.resolver.call_frame(method, call.node, program.place_of(call))
                    yield from ((inner, frame) for inner in losses[method.function])


def _loss_of(program: Program, call: Call, place: Place) -> str:
    """The function behind a call of a loss module or function; empty for other calls and where it is not certain."""
    if not call.node.args or call.attribute in _MODULES:
        return ""
    found = set()
    for value in program.resolver.resolve(Ref(call.node.func, place)):
        name = last_name(value)
        if isinstance(value, Result) and value.qualified.startswith("torch.nn."):
            found.add(_MODULES.get(name, ""))
        elif isinstance(value, External) and value.qualified.startswith("torch.nn.functional."):
            found.add(name if name in _WRONG else "")
        else:
            found.add("")
    return found.pop() if len(found) == 1 else ""


def _report(program: Program, call: Call, inner: Call, loss: str, output: Output) -> Report:
    source = quoted(program, output.node, 40)
    return Report(
        call.node,
        f"{_name(loss, inner)} {_WRONG[loss][output.kind]}, and its input here comes out of {source}.",
        _HELP[loss],
    )


def _name(loss: str, call: Call) -> str:
    if call.attribute == loss:
        return f"`{loss}`"
    return f"`{next(module for module, function in _MODULES.items() if function == loss)}`"


RULE = Rule("DNN804", "softmax-before-cross-entropy", Severity.ERROR, "S5.2.2", check)
