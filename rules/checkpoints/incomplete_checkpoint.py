"""DNN702: a checkpoint that training resumes from lacks a part of the training state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import Call
from dnnlint.finding import Severity
from dnnlint.program.precision import scaler_enabled
from dnnlint.program.roles import is_made_optimizer, last_name, site
from dnnlint.program.saving import Saved, saved_by
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import Const, Element, Ref, Result, Values
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_PROGRESS = re.compile(
    r"epoch|step|iter|batch|round|update|progress|trained|^it$|^i$|^e$|^ep$|^t$|index|count|position"
)
_NAMED = {
    "optimizer": re.compile(r"opt"),
    "scheduler": re.compile(r"sched|^lr"),
    "gradient scaler": re.compile(r"scal|^amp|_amp"),
}
_COUNTERS = ("range", "count", "trange")
_COLLECTORS = re.compile(r"save|checkpoint|ckpt|state", re.I)


class Part(NamedTuple):
    """A part of the training state, the name that the message gives it, and the object where it is known."""

    role: str
    name: str
    values: Values = ()


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the resumable checkpoint that misses the optimizer, scheduler, scaler or progress of the script."""
    if not program.calls_to("torch.save") or not program.training_loops:
        return
    saves = program.events(Kind.SAVE)
    contents = [saved_by(program, save) for save in saves]
    if any(saved.unknown for saved in contents) or _saves_elsewhere(program):
        return
    resumes = _restores_progress(program)
    for save, saved in zip(saves, contents, strict=True):
        if not _is_resumable(program, saved, resumes):
            continue
        node = _holder(save, saved)
        missing = [part for part in _parts(program, resumes) if not any(_has(program, s, part) for s in contents)]
        if missing:
            yield _report(node, missing)


def _saves_elsewhere(program: Program) -> bool:
    """Whether a function of another file may save or collect more state."""
    for event in program.events(Kind.OPAQUE):
        if _COLLECTORS.search(getattr(event.call, "attribute", "")):
            return True
    return bool(program.resolver.sites_named("save_state"))


def _restores_progress(program: Program) -> bool:
    """Whether the script takes an epoch or a step out of a loaded file, or restores an optimizer from one."""
    for assign in program.facts.assigns:
        if any(_is_loaded_progress(program, node) for node in _subscripts(assign.value)):
            return True
    return any(_restores_optimizer(program, call) for call in program.resolver.sites_named("load_state_dict"))


def _subscripts(node: cst.CSTNode) -> Iterator[cst.Subscript]:
    if isinstance(node, cst.Subscript):
        yield node
    for child in node.children:
        yield from _subscripts(child)


def _is_loaded_progress(program: Program, node: cst.Subscript) -> bool:
    index = node.slice[0].slice
    if not isinstance(index, cst.Index) or not isinstance(index.value, cst.SimpleString):
        return False
    has_load = bool(program.calls_to("torch.load"))
    return has_load and _PROGRESS.search(index.value.value.strip("\"'").lower()) is not None


def _restores_optimizer(program: Program, call: Call) -> bool:
    func = call.node.func
    if not isinstance(func, cst.Attribute) or not program.calls_to("torch.load"):
        return False
    return program.roles.any_of(program.resolve(func.value, call), "optimizer")


def _is_resumable(program: Program, saved: Saved, resumes: bool) -> bool:
    """Whether a save is meant to train on from: it holds training state, or the script restores some."""
    if not saved.is_collection or not _holds_model(program, saved):
        return False
    if any(_has(program, saved, Part(role, "")) for role in _NAMED):
        return True
    return resumes and any(_PROGRESS.search(name) for name in saved.names)


def _holds_model(program: Program, saved: Saved) -> bool:
    if program.roles.any_of(tuple(saved.objects), "model"):
        return True
    return any("model" in name or "net" in name or name in ("state_dict", "weights") for name in saved.names)


def _holder(save: Event, saved: Saved) -> cst.CSTNode:
    """The dictionary that lists the parts, where an entry has to be added; the save where there is none."""
    return max(saved.tables, key=lambda table: len(table.refs)).node if saved.tables else save.call.node


def _parts(program: Program, resumes: bool) -> Iterator[Part]:
    steps = [step for loop in program.training_loops for step in loop.steps]
    optimizers = {frozenset(site(value) for value in step.targets): step.targets for step in steps}
    for values in optimizers.values():
        yield Part("optimizer", _name(program, values, "the optimizer"), values)
    schedules = [e for e in program.events(Kind.SCHEDULE) if program.roles.any_of(e.targets, "scheduler")]
    if schedules:
        yield Part("scheduler", _name(program, schedules[0].targets, "the scheduler"))
    scalers = [step.scaler for step in steps if step.how == "scaler" and _is_enabled(program, step.scaler)]
    if scalers:
        yield Part("gradient scaler", "the gradient scaler")
    if resumes and not schedules and _counts(program):
        yield Part("progress", "the epoch or step")


def _name(program: Program, values: Values, default: str) -> str:
    """The optimizer with ``opt_d`` and ``Adam``: the variable and the class, where the file shows them."""
    made = [value for value in values if isinstance(value, Result) and value.qualified]
    if not made:
        return default
    variables = [quoted(program, a.target) for a in program.facts.assigns if a.value is made[0].node]
    return f"{default} ({', '.join([*variables[:1], f'`{last_name(made[0])}`'])})"


def _is_enabled(program: Program, scaler: Values) -> bool:
    return not any(scaler_enabled(program.resolver, value)[0] == (Const(False),) for value in scaler)


def _counts(program: Program) -> bool:
    """Whether the outermost loop of a training counts, with a name of its own."""
    for loop in program.training_loops:
        repeats = [*([loop.window] if loop.window is not None else []), *loop.outer]
        outermost = repeats[-1].loop if repeats else None
        if outermost is None or outermost.iterable is None or not isinstance(outermost.target, cst.Name):
            continue
        values = program.resolver.resolve(Ref(outermost.iterable, repeats[-1].place))
        if not outermost.target.value.startswith("_") and any(last_name(v) in _COUNTERS for v in values):
            return True
    return False


def _has(program: Program, saved: Saved, part: Part) -> bool:
    if part.role == "progress":
        return any(_PROGRESS.search(name) for name in saved.names)
    roles = program.roles
    check = {"optimizer": roles.is_optimizer, "scheduler": roles.is_scheduler}.get(part.role, roles.is_scaler)
    held = [v for v in saved.objects if check(v) or (isinstance(v, Element) and check(v.base))]
    if held and all(is_made_optimizer(value) for value in (*held, *part.values)) and part.values:
        # Each object is known by its constructor: one optimizer does not stand for another.
        return bool({site(value) for value in held} & {site(value) for value in part.values})
    return bool(held) or any(_NAMED[part.role].search(name) for name in saved.names)


def _report(node: cst.CSTNode, missing: list[Part]) -> Report:
    names = list(dict.fromkeys(part.name for part in missing))
    text = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return Report(
        node,
        f"The checkpoint lacks {text}: a run that resumes from it does not continue where it stopped.",
        "Save the state of each part, and load it where the model is loaded.",
    )


RULE = Rule(
    code="DNN702",
    name="incomplete-checkpoint",
    severity=Severity.WARNING,
    clause="S5.2.1",
    check=check,
)
