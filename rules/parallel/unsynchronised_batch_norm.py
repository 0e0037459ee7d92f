"""DNN607: batch normalisation over the few samples of one GPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.batch_norms import has_batch_norm
from dnnlint.program.calling import argument, has_unknown_arguments
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL, LIGHTNING_TRAINERS
from dnnlint.program.literals import numbers
from dnnlint.program.loader_roles import TRAINING
from dnnlint.program.loaders import LOADERS, choices
from dnnlint.program.ranks import mentions_text
from dnnlint.program.roles import unwrap
from dnnlint.program.values import Const, Ref, Result, Values
from dnnlint.program.wording import described
from dnnlint.rule import Option, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_SYNCHRONISED = ("convert_sync_batchnorm", "SyncBatchNorm", "convert_syncbn_model", "sync_bn", "syncbn")
_HELP = "Convert the model with `torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)` before it is wrapped."


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report data-parallel models with plain batch norm and a small batch on each GPU."""
    wraps = program.calls_to(*DISTRIBUTED_DATA_PARALLEL)
    trainers = [call for call in program.calls_to(*LIGHTNING_TRAINERS) if _leaves_it_unsynchronised(program, call)]
    if not (wraps or trainers) or mentions_text(program, *_SYNCHRONISED):
        return
    batch = _batch(program, settings) if wraps else ""
    for call in wraps if batch else ():
        module = program.argument(call, "module", 0)
        if module is not None and _normalises(program, program.resolver.resolve(module)):
            yield _report(call.node, batch, _HELP)
    for trainer in trainers:
        batch = _fitted(program, trainer, settings["max-batch-size"])
        if batch:
            yield _report(trainer.node, batch, "Pass `sync_batchnorm=True`.")


def _report(node: cst.Call, batch: str, help_text: str) -> Report:
    return Report(
        node,
        f"The model has batch norm, and `batch_size` is {batch}: each GPU normalises by its own few samples.",
        help_text,
    )


def _normalises(program: Program, values: Values) -> bool:
    models = [inner for value in values for inner in (value, *unwrap(program.resolver, value))]
    return any(has_batch_norm(program, model) for model in models)


def _leaves_it_unsynchronised(program: Program, trainer: Call) -> bool:
    """Whether a ``Trainer`` of Lightning runs plain DDP without its own switch for batch norm."""
    strategy, switch = program.argument(trainer, "strategy"), program.argument(trainer, "sync_batchnorm")
    chosen = program.resolver.resolve(strategy) if strategy is not None else ()
    if not chosen or not all(isinstance(v, Const) and str(v.value).startswith("ddp") for v in chosen):
        return False
    if switch is not None:
        return program.resolver.resolve(switch) == (Const(False),)
    return not has_unknown_arguments(program.resolver, trainer.node, program.place_of(trainer))


def _fitted(program: Program, trainer: Call, limit: object) -> str:
    """The small batch of the loader that a trainer fits a model with batch norm on; empty where it is none."""
    for fit in program.resolver.sites_named("fit"):
        func = fit.node.func
        receivers = program.resolve(func.value, fit) if isinstance(func, cst.Attribute) else ()
        if any(isinstance(value, Result) and value.node is trainer.node for value in receivers):
            model, loader = program.argument(fit, "model", 0), program.argument(fit, "train_dataloaders", 1)
            if model is not None and loader is not None and _normalises(program, program.resolver.resolve(model)):
                texts = [_size(program, value, limit) for value in program.resolver.resolve(loader)]
                return texts[0] if all(texts) else ""
    return ""


def _size(program: Program, loader: object, limit: object) -> str:
    if not isinstance(loader, Result) or loader.qualified not in LOADERS:
        return ""
    given = argument(program.resolver, loader.node, loader.place, "batch_size", 1)
    if given is None:
        unknown = has_unknown_arguments(program.resolver, loader.node, loader.place)
        return "" if unknown else "1 (not given)"
    return _small(program, given, limit)


def _batch(program: Program, settings: Settings) -> str:
    """The small batch size of the training loaders in words; empty where one is large or not known."""
    texts = []
    for call in program.calls_to(*LOADERS):
        if program.loader_uses.role(call) != TRAINING:
            continue
        refs, known = choices(program, call, "batch_size")
        if not known or len(refs) != 1:
            return ""
        text = _small(program, refs[0], settings["max-batch-size"]) if refs[0] is not None else "1 (not given)"
        if not text:
            return ""
        texts.append(text)
    return texts[0] if texts else ""


def _small(program: Program, given: Ref, limit: object) -> str:
    values = program.resolver.resolve(given)
    sizes = numbers(values)
    return described(values) if sizes and isinstance(limit, int) and max(sizes) <= limit else ""


RULE = Rule(
    code="DNN607",
    name="unsynchronised-batch-norm",
    severity=Severity.ADVICE,
    clause="S3.1.1b",
    check=check,
    options=(Option("max-batch-size", 8, "The largest batch on one GPU that counts as small."),),
)
