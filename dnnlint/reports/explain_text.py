"""The explanation of a program as plain text: one thing a line, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from dnnlint.program.explain_records import (
    AccumulationRecord,
    Action,
    AutocastRecord,
    ClipRecord,
    EvaluationRecord,
    Explanation,
    LoaderRecord,
    LoopRecord,
    OptimizerRecord,
    Quantity,
    ScalerRecord,
    SchedulerRecord,
    Spot,
    StorageRecord,
)
from dnnlint.reports.escape import escaped

_LABEL_WIDTH = 16
_FRAMEWORKS = ("accelerator", "engine")
"""How a backward runs that scales and casts by itself."""
_Record = TypeVar("_Record")


def render_explanation(found: Explanation) -> Iterator[str]:
    """The lines of the text, without line breaks."""
    yield f"Program of {escaped(found.file)}"
    yield from _block("files", map(escaped, found.files))
    yield from _block("also read", map(escaped, found.also_read))
    yield from _block("frameworks", (framework.name for framework in found.frameworks))
    for framework in found.frameworks:
        yield from (f"  {'':{_LABEL_WIDTH}}{_action(made)}" for made in framework.objects)
    yield from _section("Training loops", found.training_loops, _loop)
    yield from _section("Evaluations", found.evaluations, _evaluation)
    yield from _section("Data loaders", found.data_loaders, _loader)
    yield from _section("Saves", found.saves, _storage)
    yield from _section("Loads", found.loads, _storage)
    yield ""
    yield "Not followed"
    for call in found.calls_not_followed:
        yield f"  {place(call.at)}  `{call.code}` receives {_joined(call.receives)}"
    for unknown in found.values_not_known:
        option = f", the option `{unknown.option}` decides" if unknown.option else ""
        yield f"  {place(unknown.at)}  {unknown.name}: the value of `{unknown.expression}` is not known{option}"
    if not found.calls_not_followed and not found.values_not_known:
        yield "  nothing"


def place(spot: Spot | None) -> str:
    """``file:line``, as editors and terminals recognise it."""
    return f"{escaped(spot.path)}:{spot.line}" if spot is not None else "made out of sight"


def _section(title: str, records: Sequence[_Record], lines: Callable[[_Record], Iterator[str]]) -> Iterator[str]:
    yield ""
    yield title
    if not records:
        yield "  none"
    for record in records:
        yield from lines(record)


def _block(label: str, texts: Iterable[str]) -> Iterator[str]:
    """A label with one text a line; nothing but ``none`` where there is no text."""
    given = list(texts) or ["none"]
    for index, text in enumerate(given):
        yield f"  {label if index == 0 else '':{_LABEL_WIDTH}}{text}"


def _joined(words: Iterable[str]) -> str:
    return ", ".join(words)


def quantity(found: Quantity | None) -> str:
    """``0.05 (default of `--lr`)``, with the expression where it says more than the value."""
    if found is None:
        return "not given"
    if not found.text:
        if found.option:
            return f"`{found.expression}`, decided by `{found.option}`, default not known"
        return f"`{found.expression}`, value not known" if found.expression else "not known"
    plain = not found.expression or found.expression == found.text or found.expression.strip("\"'") in found.text
    return found.text if plain else f"`{found.expression}` = {found.text}"


def _action(action: Action) -> str:
    how = "" if action.how == "plain" else f" (by {action.how})"
    return f"{place(action.at)}  `{action.code}`{how}"


def _loop(loop: LoopRecord) -> Iterator[str]:
    yield f"  {place(loop.at)}  `{loop.header}`" + (" (its loop is not seen)" if loop.kind == "function" else "")
    paths = "too many to tell; rules about order are silent" if loop.paths is None else str(loop.paths)
    by_framework = any(action.how in _FRAMEWORKS for action in loop.backwards)
    unseen = ["none in the code; the framework's settings decide"] if by_framework else []
    parts: tuple[tuple[str, Iterable[str]], ...] = (
        ("inside loops", map(place, loop.outer)),
        ("backward", map(_action, loop.backwards)),
        ("step", map(_action, loop.steps)),
        ("optimizer", map(_optimizer, loop.optimizers)),
        ("scaler", list(map(_scaler, loop.scalers)) or unseen),
        ("autocast", list(map(_autocast, loop.autocasts)) or unseen),
        ("accumulation", _accumulation(loop.accumulation)),
        ("clip", map(_clip, loop.clips)),
        ("zero_grad", map(_action, loop.zero_grads)),
        ("scheduler", map(_scheduler, loop.schedulers)),
        ("paths", (paths,)),
    )
    for label, texts in parts:
        yield from (f"  {line}" for line in _block(label, texts))


def _optimizer(found: OptimizerRecord) -> str:
    name = f"`{found.name}`" if found.name else f"`{found.expression}`"
    rate = f", learning rate {quantity(found.learning_rate)}" if found.learning_rate is not None else ""
    return f"{name}, {place(found.at)}{rate}"


def _scaler(found: ScalerRecord) -> str:
    return f"`{found.name or 'scaler'}`, {place(found.at)}, enabled: {quantity(found.enabled)}"


def _autocast(found: AutocastRecord) -> str:
    types, devices = " or ".join(found.dtypes), " or ".join(found.devices)
    return f"{place(found.at)}  {types} on {devices}, enabled: {quantity(found.enabled)}"


def _accumulation(found: AccumulationRecord | None) -> list[str]:
    if found is None:
        return []
    factor = f", micro-batches: {quantity(found.factor)}" if found.factor is not None else ""
    test = f", test: `{found.test}`" if found.test else ""
    return [f"{found.kind}{factor}{test}" + (f", {place(found.at)}" if found.at is not None else "")]


def _clip(found: ClipRecord) -> str:
    limit = f", limit {quantity(found.limit)}" if found.limit is not None else ""
    return f"{place(found.at)}  `{found.code}`{limit}" + ("" if found.is_effective else " (limits nothing)")


def _scheduler(found: SchedulerRecord) -> str:
    where = "in the iteration" if found.is_in_iteration else "outside of the iteration"
    return f"`{found.name or 'scheduler'}`, {place(found.at)}, stepped {where}: {_joined(map(place, found.stepped))}"


def _evaluation(found: EvaluationRecord) -> Iterator[str]:
    mode = f"eval() at {place(found.eval_mode_at)}" if found.eval_mode_at is not None else "no eval() in force"
    gradients = "autograd records" if found.records_gradients else "autograd is off"
    yield f"  {place(found.at)}  `{found.header}`"
    yield from (f"  {line}" for line in _block("forward", map(_action, found.forwards)))
    yield from (f"  {line}" for line in _block("mode", (f"{mode}, {gradients}",)))


def _loader(found: LoaderRecord) -> Iterator[str]:
    yield f"  {place(found.at)}  {'use not seen' if found.role == 'unseen' else found.role}"
    for name in ("num_workers", "batch_size", "shuffle", "pin_memory", "persistent_workers"):
        yield f"    {name:{_LABEL_WIDTH + 4}}{quantity(getattr(found, name))}"


def _storage(found: StorageRecord) -> Iterator[str]:
    names = f", holds {_joined(found.names)}" if found.names else ""
    yield f"  {place(found.at)}  `{found.code}`{names}"
