"""DNN703: checkpoints hold the state of a training, and nothing in the script loads one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Call, qualified_names
from dnnlint.finding import Severity
from dnnlint.program.roles import is_made_optimizer
from dnnlint.program.saving import saved_by
from dnnlint.program.scripts import called_parts, is_notebook, is_unknown_inside, script_loops, unknown_events
from dnnlint.program.tree import Event, Kind
from dnnlint.program.values import Element, Member
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.values import Value

_LOADS = re.compile(
    r"load(?!er|ing_|_?data)|resume|restore|recover|reload|continue|warm_?start|callback|hook|pretrain", re.I
)
# Library functions with such names that bring no checkpoint back.
_BRING_NO_STATE = (
    "transformers.",
    "diffusers.",
    "timm.",
    "tokenizers.",
    "json.",
    "yaml.",
    "datasets.",
    "numpy.",
    "tomllib.",
    "toml.",
    "torchaudio.",
    "dotenv.",
    "nltk.",
)
_NO_STATE = ("load_dataset", "load_digits", "load_iris", "load_images", "load_config", "load_dotenv", "load_library")
_FRAMEWORKS = tuple("lightning pytorch_lightning lightning_fabric ignite composer ray mmengine mmcv colossalai".split())


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first save of training state in a script that loads none."""
    saves = _saves(program)
    if not saves or is_notebook(program) or program.imports(*_FRAMEWORKS):
        return
    loops = script_loops(program)
    if not loops or any(_may_load(call) for call in program.facts.calls) or program.events(Kind.LOAD):
        return
    if _may_be_restored(program) or any(is_unknown_inside(program, loop) for loop in loops):
        return
    call, what = saves[0]
    yield Report(
        call.node,
        f"{quoted(program, call.node)} keeps {what}, and the script loads no checkpoint.",
        "Load the last checkpoint at the start where there is one, and go on from its epoch or step.",
    )


def _saves(program: Program) -> list[tuple[Call, str]]:
    """The saves of training state, with what they keep of it."""
    if not program.imports("torch"):
        return []
    found = [
        (call, "the state of the run")
        for name in ("save_state", "save_checkpoint")
        for call in program.resolver.sites_named(name)
        if _is_kept_by_library(program, call)
    ]
    for save in program.events(Kind.SAVE) if program.resolver.sites_named("save") else ():
        kept = _training_state(program, save)
        if kept and isinstance(save.call, Call):
            found.append((save.call, f"the state of {kept}"))
    return found


def _is_kept_by_library(program: Program, call: Call) -> bool:
    """``accelerator.save_state()`` or ``engine.save_checkpoint()`` of DeepSpeed."""
    func = call.node.func
    values = program.resolve(func, call)
    owners = tuple(value.base for value in values if isinstance(value, Member))
    role = "accelerator" if call.attribute == "save_state" else "engine"
    return bool(owners) and func is not call.root and program.roles.any_of(owners, role)


def _training_state(program: Program, save: Event) -> str:
    """``the optimizer`` and the like, where a save holds some; an empty string for weights alone."""
    objects = saved_by(program, save).objects
    for name, role in (("the optimizer", "optimizer"), ("the scheduler", "scheduler"), ("the scaler", "scaler")):
        if program.roles.any_of(tuple(_origin(value) for value in objects), role):
            return name
    return ""


def _origin(value: Value) -> Value:
    return value.base if isinstance(value, Element) and is_made_optimizer(value.base) else value


def _may_load(call: Call) -> bool:
    if call.attribute in _NO_STATE or not any(_LOADS.search(part) for part in called_parts(call)):
        return False
    names = qualified_names(call)
    return not (names and all(name.startswith(_BRING_NO_STATE) for name in names))


def _may_be_restored(program: Program) -> bool:
    """Whether a call with unknown insides gets an optimizer."""
    return any(program.roles.any_of(event.targets, "optimizer") for event in unknown_events(program))


RULE = Rule("DNN703", "no-resume", Severity.ADVICE, "S5.2.1", check)
