"""DNN806: torch.quantization, which moved to torch.ao.quantization, and dynamic quantization of convolutions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, dotted
from dnnlint.facts.names import qualified_of_name, split_chain
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.layers import layer_names
from dnnlint.program.values import External, Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_OLD, _NEW = "torch.quantization", "torch.ao.quantization"
# Modules without a counterpart of the same name.
_NOT_MOVED = frozenset(
    "_numeric_suite _numeric_suite_fx _quantized_conversions fusion_patterns quantization_patterns "
    "quantization_types".split()
)
_HELP = "Use `{}`, and `torchao` in new code."
# The types that the default mapping of quantize_dynamic replaces.
_QUANTIZED = frozenset("Linear LSTM GRU LSTMCell GRUCell RNNCell Embedding EmbeddingBag".split())
_HOLD_LINEAR = frozenset(
    "MultiheadAttention Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer "
    "TransformerDecoderLayer NonDynamicallyQuantizableLinear LazyLinear".split()
)
_DYNAMIC = (f"{_OLD}.quantize_dynamic", f"{_NEW}.quantize_dynamic", f"{_NEW}.quantize.quantize_dynamic")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each import and use of the old name, and each dynamic quantization that finds nothing to quantize."""
    if not _occurs(program):
        return
    yield from _imports(program)
    for node in _uses(program.module, program):
        name = dotted(node)
        yield _moved(node, name, (NodeEdit("replace", _stem(node), _NEW),) if _has_counterpart(name) else ())
    yield from _without_effect(program)


def _occurs(program: Program) -> bool:
    facts = program.facts
    if any("quantiz" in name for name, _ in facts.imports) or "quantization" in facts.attribute_loads:
        return True
    return any("quantization" in call.chain for call in facts.calls)


def _imports(program: Program) -> Iterator[Report]:
    seen: set[int] = set()
    for full, statement in program.facts.imports:
        if not _is_old(full) or id(statement) in seen:
            continue
        seen.add(id(statement))
        yield _moved(statement, full, _import_edits(statement))


def _is_old(name: str) -> bool:
    return name == _OLD or name.startswith(f"{_OLD}.")


def _has_counterpart(name: str) -> bool:
    return not _NOT_MOVED.intersection(name.split("."))


def _import_edits(statement: cst.CSTNode) -> tuple[NodeEdit, ...]:
    """The edits of an import; the local names stay, so that nothing else changes."""
    if isinstance(statement, cst.ImportFrom) and statement.module is not None:
        source = dotted(statement.module)
        names = [] if isinstance(statement.names, cst.ImportStar) else [dotted(a.name) for a in statement.names]
        if not all(_has_counterpart(name) for name in (source, *names)):
            return ()
        if _is_old(source):
            return (NodeEdit("replace", statement.module, source.replace(_OLD, _NEW, 1)),)
        return (NodeEdit("replace", statement.module, "torch.ao"),) if names == ["quantization"] else ()
    aliases = statement.names if isinstance(statement, cst.Import) else ()
    found = [alias.name for alias in aliases if _is_old(dotted(alias.name))]
    if not all(_has_counterpart(dotted(name)) for name in found):
        return ()
    return tuple(NodeEdit("replace", name, dotted(name).replace(_OLD, _NEW, 1)) for name in found)


def _uses(node: cst.CSTNode, program: Program) -> Iterator[cst.Attribute]:
    """The longest chains ``torch.quantization. ...``, import statements left out."""
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        return
    if isinstance(node, cst.Attribute):
        root, chain = split_chain(node)
        if isinstance(root, cst.Name):
            if root.value == "torch" and chain[0] == "quantization" and _is_torch(program):
                yield node
            return
    for child in node.children:
        yield from _uses(child, program)


def _is_torch(program: Program) -> bool:
    return any(name.partition(".")[0] == "torch" for name in qualified_of_name(program.facts.body.scope, "torch"))


def _stem(node: cst.Attribute) -> cst.BaseExpression:
    """The part ``torch.quantization`` of a chain."""
    inner: cst.BaseExpression = node
    while isinstance(inner, cst.Attribute) and dotted(inner) != _OLD:
        inner = inner.value
    return inner


def _moved(node: cst.CSTNode, name: str, edits: tuple[NodeEdit, ...]) -> Report:
    moved = any(part.startswith("_numeric_suite") for part in name.split("."))
    new = name.replace(_OLD, "torch.ao.ns" if moved else _NEW, 1)
    if not moved and not _has_counterpart(name):
        new = _NEW
    return Report(
        node,
        f"`{name}` is an old name that only points to `{_NEW}`.",
        _HELP.format(new),
        edits=edits,
        fix_description=f"Use `{_NEW}`.",
    )


def _without_effect(program: Program) -> Iterator[Report]:
    """``quantize_dynamic`` of a network of convolutions, or told to quantize nothing but convolutions."""
    for call in program.calls_to(*_DYNAMIC):
        text = quoted(program, call.node)
        types = _told_types(program, call)
        if types and all(name.startswith("Conv") for name in types):
            names = " and ".join(f"`{name}`" for name in sorted(types))
            message = f"{text} changes nothing: dynamic quantization has no version of {names}."
        elif not types and not program.argument(call, "qconfig_spec", 1) and _has_only_convolutions(program, call):
            message = f"{text} changes nothing: the model has convolutions and no linear, recurrent or embedding layer."
        else:
            continue
        yield Report(call.node, message, "Quantize convolutions statically, with calibration, or with `torchao`.")


def _told_types(program: Program, call: Call) -> set[str]:
    """The names of the module types that a call is told to quantize; empty where they are not known."""
    given = program.argument(call, "qconfig_spec", 1)
    if given is None or program.argument(call, "mapping", 3) is not None:
        return set()
    nodes = [e.value for e in given.node.elements] if isinstance(given.node, (cst.Set, cst.List, cst.Tuple)) else []
    values = [value for node in nodes for value in program.resolver.resolve(Ref(node, given.place))]
    if not all(isinstance(value, External) for value in values):
        return set()
    return {value.qualified.rpartition(".")[2] for value in values if isinstance(value, External)}


def _has_only_convolutions(program: Program, call: Call) -> bool:
    given = program.argument(call, "model", 0)
    if given is None or program.argument(call, "mapping", 3) is not None:
        return False
    names = layer_names(program, program.resolver.resolve(given))
    if names is None or names & (_QUANTIZED | _HOLD_LINEAR):
        return False
    return any(name.startswith("Conv") for name in names)


RULE = Rule("DNN806", "deprecated-quantization-api", Severity.WARNING, "S4.2.2", check, FixSafety.SAFE, is_local=True)
