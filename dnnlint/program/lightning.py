"""What the Trainer of Lightning does by itself, and which of its options turn on what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.facts import Call, Class
from dnnlint.program.calling import has_unknown_arguments
from dnnlint.program.libraries import LIGHTNING_TRAINERS
from dnnlint.program.roles import last_name
from dnnlint.program.scripts import is_test
from dnnlint.program.values import Const, Values

if TYPE_CHECKING:
    from dnnlint.program import Program

_OWN_STEPS = ("automatic_optimization", "configure_gradient_clipping")
_GPUS = frozenset({"gpu", "cuda"})


def fitted_trainers(program: Program) -> list[Call]:
    """The trainers whose arguments are shown, in a program that fits a LightningModule and leaves the steps to them."""
    calls = program.calls_to(*LIGHTNING_TRAINERS)
    if not calls or not program.resolver.sites_named("fit") or is_test(program):
        return []
    modules = [cls for cls in program.facts.classes if _is_module(program, cls)]
    if not modules or any(_steps_itself(program, cls) for cls in modules):
        return []
    return [call for call in calls if not has_unknown_arguments(program.resolver, call.node, program.place_of(call))]


def _is_module(program: Program, cls: Class) -> bool:
    _, outside = program.resolver.lineage(cls)
    return "training_step" in cls.methods and any(last_name(base) == "LightningModule" for base in outside)


def _steps_itself(program: Program, cls: Class) -> bool:
    inside, _ = program.resolver.lineage(cls)
    return any(
        name in part.attributes or name in part.methods or name in part.fields for part in inside for name in _OWN_STEPS
    )


def option(program: Program, trainer: Call, name: str) -> Values | None:
    """The values of an option of a trainer, None where it is not given."""
    given = program.argument(trainer, name)
    return program.resolver.resolve(given) if given is not None else None


def is_off(values: Values | None) -> bool:
    """Whether an option is left out, None or zero for certain."""
    return values is None or all(isinstance(value, Const) and value.value in (None, 0) for value in values)


def runs_on_gpu(program: Program, trainer: Call) -> bool:
    """Whether a trainer was told to use GPUs."""
    values = option(program, trainer, "accelerator") or ()
    return bool(values) and all(isinstance(value, Const) and value.value in _GPUS for value in values)


def may_be_configured_elsewhere(program: Program, trainer: Call) -> bool:
    """Whether a strategy or a plug-in may clip or choose a precision: DeepSpeed's configuration does both."""
    if option(program, trainer, "plugins") is not None:
        return True
    values = option(program, trainer, "strategy") or ()
    return any(not (isinstance(v, Const) and isinstance(v.value, str) and "deepspeed" not in v.value) for v in values)


def writes_clip(program: Program) -> bool:
    """Whether anything in the program is called or named like clipping: a callback may do it."""
    named = any("clip" in call.attribute for call in program.facts.calls)
    return named or any("clip" in function.name for function in program.facts.functions)
