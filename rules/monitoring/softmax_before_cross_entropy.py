"""DNN804: a loss gets probabilities where it takes logits, or logits where it takes probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.outputs import LOG_SOFTMAX, LOGITS, SIGMOID, SOFTMAX, Output, output_of
from dnnlint.program.roles import last_name
from dnnlint.program.values import External, Result
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
    for call in program.facts.calls:
        loss = _loss_of(program, call)
        given = program.argument(call, "input", 0) if loss else None
        output = output_of(program, given) if given is not None else None
        if output is not None and output.kind in _WRONG[loss]:
            yield _report(program, call, loss, output)


def _loss_of(program: Program, call: Call) -> str:
    """The function behind a call of a loss module or function; empty for other calls and where it is not certain."""
    if not call.node.args or call.attribute in _MODULES:
        return ""
    found = set()
    for value in program.resolve(call.node.func, call):
        name = last_name(value)
        if isinstance(value, Result) and value.qualified.startswith("torch.nn."):
            found.add(_MODULES.get(name, ""))
        elif isinstance(value, External) and value.qualified.startswith("torch.nn.functional."):
            found.add(name if name in _WRONG else "")
        else:
            found.add("")
    return found.pop() if len(found) == 1 else ""


def _report(program: Program, call: Call, loss: str, output: Output) -> Report:
    source = quoted(program, output.node, 40)
    return Report(
        call.node,
        f"{_name(loss, call)} {_WRONG[loss][output.kind]}, and its input here comes out of {source}.",
        _HELP[loss],
    )


def _name(loss: str, call: Call) -> str:
    if call.attribute == loss:
        return f"`{loss}`"
    return f"`{next(module for module, function in _MODULES.items() if function == loss)}`"


RULE = Rule("DNN804", "softmax-before-cross-entropy", Severity.ERROR, "S5.2.2", check)
