"""DNN607: batch normalisation over the few samples of one GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.calling import argument
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL
from dnnlint.program.literals import numbers
from dnnlint.program.loader_roles import TRAINING
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.ranks import mentions_text
from dnnlint.program.roles import last_name, unwrap
from dnnlint.program.values import Object, Result, Value
from dnnlint.program.wording import described
from dnnlint.rule import Option, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_LAYERS = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d")
_NETWORKS = ("resnet", "resnext", "wide_resnet", "densenet", "mobilenet", "efficientnet", "shufflenet", "mnasnet")
_SYNCHRONISED = ("convert_sync_batchnorm", "SyncBatchNorm", "convert_syncbn_model", "sync_bn", "syncbn")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report DistributedDataParallel models with plain batch norm and a small batch on each GPU."""
    calls = program.calls_to(*DISTRIBUTED_DATA_PARALLEL)
    if not calls or mentions_text(program, *_SYNCHRONISED):
        return
    batch = _batch(program, settings)
    if not batch:
        return
    for call in calls:
        module = program.argument(call, "module", 0)
        values = program.resolver.resolve(module) if module is not None else ()
        models = [inner for value in values for inner in (value, *unwrap(program.resolver, value))]
        if any(_has_batch_norm(program, model) for model in models):
            yield Report(
                call.node,
                f"The model has batch norm, and `batch_size` is {batch}: each GPU normalises by its own few samples.",
                "Convert the model with `torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)` before it is wrapped.",
            )


def _batch(program: Program, settings: Settings) -> str:
    """The small batch size of the training loaders in words; empty where one is large or not known."""
    texts = []
    for call in program.calls_to(*LOADERS):
        if program.loader_uses.role(call) != TRAINING:
            continue
        text = _small(program, call, settings["max-batch-size"])
        if not text:
            return ""
        texts.append(text)
    return texts[0] if texts else ""


def _small(program: Program, call: Call, limit: object) -> str:
    refs, known = choices(program, call, "batch_size")
    if not known or len(refs) != 1 or not isinstance(limit, int):
        return ""
    if refs[0] is None:
        return "1 (not given)"
    values = program.resolver.resolve(refs[0])
    sizes = numbers(values)
    return described(values) if sizes and max(sizes) <= limit else ""


def _has_batch_norm(program: Program, value: Value) -> bool:
    """Whether a network of the file, or a known one of torchvision, has batch norm layers."""
    if isinstance(value, Object):
        inside = program.resolver.lineage(value.cls)[0]
        return any(_mentions_layer(cls.node) for cls in inside)
    if isinstance(value, Result) and value.qualified.startswith("torchvision.models."):
        return (
            last_name(value).startswith(_NETWORKS)
            and argument(program.resolver, value.node, value.place, "norm_layer") is None
        )
    return isinstance(value, Result) and last_name(value) == "Sequential" and _mentions_layer(value.node)


def _mentions_layer(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Call):
        func = node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")
        if name in _LAYERS:
            return True
    return any(_mentions_layer(child) for child in node.children)


RULE = Rule(
    code="DNN607",
    name="unsynchronised-batch-norm",
    severity=Severity.ADVICE,
    clause="S3.1.1b",
    check=check,
    options=(Option("max-batch-size", 8, "The largest batch on one GPU that counts as small."),),
)
