"""Whether a network has layers that behave differently in training and in evaluation mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, Class, qualified_names
from dnnlint.program.contents import calls_of
from dnnlint.program.roles import last_name, unwrap
from dnnlint.program.values import ClassValue, FunctionValue, Object, Place, Ref, Result, Value, Values

if TYPE_CHECKING:
    from dnnlint.program import Program

_BY_MODE = ("Dropout", "BatchNorm", "AlphaDropout", "SyncBatchNorm", "RReLU", "dropout", "batch_norm", "DropPath")
_TRANSFORMERS = frozenset({"Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer"})
# Layers of torch.nn that do the same in both modes.
_PLAIN = frozenset(
    "Linear LazyLinear Bilinear Identity Conv1d Conv2d Conv3d LazyConv1d LazyConv2d ConvTranspose1d ConvTranspose2d "
    "ConvTranspose3d MaxPool1d MaxPool2d MaxPool3d AvgPool1d AvgPool2d AvgPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d "
    "AdaptiveMaxPool1d AdaptiveMaxPool2d ReLU LeakyReLU PReLU ELU SELU GELU SiLU Mish Tanh Sigmoid Softplus Softmax "
    "LogSoftmax Hardswish Flatten Unflatten Upsample PixelShuffle LayerNorm GroupNorm RMSNorm Embedding EmbeddingBag "
    "ZeroPad2d Parameter ParameterList Softsign Hardtanh ReLU6 CELU LogSigmoid Fold Unfold".split()
)
_RECURRENT = frozenset({"RNN", "LSTM", "GRU", "MultiheadAttention"})
_CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict"})
_MAX_DEPTH = 6


def depends_on_mode(program: Program, values: Values) -> bool | None:
    """True with dropout or batch norm, False certainly without, None where the file does not show it."""
    answers = {_of_value(program, inner, 0) for v in values for inner in unwrap(program.resolver, v)}
    return True if True in answers else False if answers == {False} else None


def _of_value(program: Program, value: Value, depth: int) -> bool | None:
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, (Object, ClassValue)):
        return _of_class(program, value.cls, depth + 1)
    if not isinstance(value, Result) or not value.qualified:
        return None
    name = last_name(value)
    if value.qualified.startswith("torchvision.models."):
        return True if name.startswith(("resnet", "densenet", "mobilenet", "efficientnet", "vgg", "alexnet")) else None
    if not value.qualified.startswith("torch.nn."):
        return None
    if name in _CONTAINERS:
        return _of_parts(program, value, depth + 1)
    return _of_layer(name, _has_dropout(value.node))


def _of_layer(name: str, with_dropout: bool) -> bool | None:
    if name.startswith(_BY_MODE) or name in _TRANSFORMERS:
        return True
    if name in _RECURRENT:
        return with_dropout
    return False if name in _PLAIN else None


def _of_parts(program: Program, container: Result, depth: int) -> bool | None:
    answers: set[bool | None] = set()
    for argument in container.node.args:
        if argument.star:
            answers.add(None)
        else:
            values = program.resolver.resolve(Ref(argument.value, container.place))
            answers |= {_of_value(program, value, depth) for value in values}
    return True if True in answers else None if None in answers else False


def _of_class(program: Program, cls: Class, depth: int) -> bool | None:
    """From the calls in a class: layers and functions by name, project classes in turn."""
    inside, outside = program.resolver.lineage(cls)
    answers: set[bool | None] = {False}
    if any(last_name(base) != "Module" for base in outside):
        answers.add(None)
    for part in inside:
        answers |= _of_calls(program, program.calls_in(part), depth)
    return True if True in answers else None if None in answers else False


def _of_calls(program: Program, calls: list[Call], depth: int) -> set[bool | None]:
    """From what the calls name: layers, functions of ``torch``, classes and functions of the project in turn."""
    answers: set[bool | None] = set()
    for call in calls:
        for name in qualified_names(call):
            last = name.rsplit(".", 1)[-1]
            if name.startswith("torch.nn.functional.") or last in _CONTAINERS:
                answers.add(last.startswith(_BY_MODE))
            elif name.startswith("torch.nn.") and not name.startswith(("torch.nn.init.", "torch.nn.utils.")):
                answers.add(_of_layer(last, _has_dropout(call.node)))
            elif not name.startswith(("torch.", "builtins.", "math.", "einops.")):
                answers.add(None)
        answers |= _of_callees(program, call.node, program.place_of(call), depth)
    return answers


def _of_callees(program: Program, node: cst.Call, place: Place, depth: int) -> set[bool | None]:
    answers: set[bool | None] = set()
    for value in program.resolver.resolve(Ref(node.func, place)):
        if isinstance(value, ClassValue):
            answers.add(_of_value(program, value, depth))
        elif isinstance(value, FunctionValue) and value.receiver is None:
            answers |= _of_calls(program, calls_of(value.function), depth + 1) if depth <= _MAX_DEPTH else {None}
    return answers


def _has_dropout(node: cst.Call) -> bool:
    return any(a.keyword is not None and a.keyword.value == "dropout" for a in node.args)


def layer_names(program: Program, values: Values) -> frozenset[str] | None:
    """The names of the layers of ``torch.nn`` in networks, without containers; None where some do not show."""
    found: set[str] = set()
    pending = [inner for value in values for inner in unwrap(program.resolver, value)]
    seen: set[object] = set()
    while pending:
        value = pending.pop()
        if value.key in seen:
            continue
        seen.add(value.key)
        made = _direct_parts(program, value, found)
        if made is None:
            return None
        pending.extend(made)
    return frozenset(found)


def has_no_layers(program: Program, values: Values) -> bool:
    """Whether networks are classes of the project that neither make a layer nor call one that they were given."""
    made = [value for value in values if isinstance(value, Object)]
    if not made or len(made) < len(values) or layer_names(program, values) != frozenset():
        return False
    for cls in (part for value in made for part in program.resolver.lineage(value.cls)[0]):
        for call in program.calls_in(cls):
            own = call.root.value if isinstance(call.root, cst.Name) else ""
            if own == "self" and len(call.chain) == 1 and call.chain[0] not in cls.methods:
                return False
    return True


def _direct_parts(program: Program, value: Value, found: set[str]) -> list[Value] | None:
    """What a network is made of; layers go into ``found``. None where that does not show."""
    if isinstance(value, (Object, ClassValue)):
        return _class_parts(program, value.cls, found)
    if not isinstance(value, Result) or not value.qualified.startswith("torch.nn."):
        return None
    if last_name(value) not in _CONTAINERS:
        found.add(last_name(value))
        return []
    if any(argument.star for argument in value.node.args):
        return None
    return [v for a in value.node.args for v in program.resolver.resolve(Ref(a.value, value.place))]


def _class_parts(program: Program, cls: Class, found: set[str]) -> list[Value] | None:
    inside, outside = program.resolver.lineage(cls)
    if any(last_name(base) != "Module" for base in outside):
        return None
    made: list[Value] = []
    for call in (call for part in inside for call in program.calls_in(part)):
        for name in qualified_names(call):
            if name.startswith("torch.nn.") and not name.startswith("torch.nn.functional."):
                found.update({name.rpartition(".")[2]} - _CONTAINERS)
            elif not name.startswith(("torch.", "builtins.", "math.", "einops.")):
                return None
        made += [v for v in program.resolve(call.node.func, call) if isinstance(v, ClassValue)]
    return made
