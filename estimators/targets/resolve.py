"""From the TARGET of the command line to something that can be built."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dnnlint.estimators.errors import OptionError, TargetError
from dnnlint.estimators.options import EstimateOptions
from dnnlint.estimators.targets.hints import Hints
from dnnlint.estimators.targets.source import Plan, plan_file

if TYPE_CHECKING:
    from torch import nn

    from dnnlint.estimators.targets.inputs import MakeInputs
    from dnnlint.estimators.targets.notes import Notes

ZOOS = ("torchvision", "timm", "hf")
FORMS = (
    "Targets are file.py, file.py:NAME, package.module:NAME, torchvision/NAME, timm/NAME, hf/MODEL_TYPE "
    "or a config.json."
)


@dataclass(frozen=True, slots=True)
class Target:
    """A model that can be built, with what its file or zoo says about training it."""

    description: str
    build: Callable[[], nn.Module]
    known_inputs: Callable[[nn.Module, EstimateOptions, bool], tuple[str, MakeInputs] | None]
    """What the file or the zoo gives as a batch, from the model, the options and whether it is trained."""
    training_loss: Callable[[nn.Module, Any], Any] | None
    build_optimizer: Callable[[nn.Module], Any] | None
    hints: Hints
    file_name: str = ""


def plan_target(target: str, options: EstimateOptions) -> Plan | None:
    """Check a target without PyTorch; returns the plan of a file, None for a zoo or a configuration.

    Raises TargetError when the target names nothing, or nothing that is a model.
    """
    zoo, slash, name = target.partition("/")
    if target.endswith(".json"):
        if not Path(target).is_file():
            raise TargetError(f"There is no file '{target}'.", "Check the path.")
        return None
    path_text, colon, label = target.rpartition(":")
    if not target.endswith(".py") and path_text.endswith(".py"):
        return _plan(Path(path_text), label, options)
    if target.endswith(".py"):
        return _plan(Path(target), None, options)
    if slash and zoo in ZOOS and name:
        return None
    if colon and label.isidentifier() and all(part.isidentifier() for part in path_text.split(".")):
        return _plan(_module_file(path_text), label, options)
    raise TargetError(f"'{target}' is no target.", FORMS)


def _plan(path: Path, label: str | None, options: EstimateOptions) -> Plan:
    if label and options.entry and label != options.entry:
        raise OptionError(f"The target names '{label}' and --entry names '{options.entry}'.", "Give one of them.")
    return plan_file(path.resolve(), label or options.entry, dict(options.arguments))


def _module_file(name: str) -> Path:
    relative = Path(*name.split("."))
    for folder in (Path.cwd(), *map(Path, sys.path)):
        for candidate in (folder / relative.with_suffix(".py"), folder / relative / "__init__.py"):
            if candidate.is_file():
                return candidate
    raise TargetError(
        f"There is no module '{name}' here or on the Python path.",
        "Run from the project's folder, or give file.py:NAME.",
    )


def open_target(target: str, options: EstimateOptions, notes: Notes) -> Target:
    """Resolve a target inside the child process; imports PyTorch and what the target imports."""
    plan = plan_target(target, options)
    if plan is not None:
        return _file_target(plan, options, notes)
    from dnnlint.estimators.targets import hugging_face, zoo

    arguments = dict(options.arguments)
    family, _, name = target.partition("/")
    if target.endswith(".json"):
        model = hugging_face.from_file(Path(target), arguments)
    elif family == "torchvision":
        model = zoo.torchvision_model(name, arguments)
    elif family == "timm":
        model = zoo.timm_model(name, arguments)
    else:
        model = hugging_face.from_type(name, arguments)
    return Target(target, model.build, model.inputs, None, None, Hints())


def _file_target(plan: Plan, options: EstimateOptions, notes: Notes) -> Target:
    from dnnlint.estimators.targets.running import FileTarget

    file = FileTarget(plan, dict(options.arguments), notes)
    example = file.hook("example_inputs")

    def known_inputs(model: nn.Module, options: EstimateOptions, training: bool) -> tuple[str, MakeInputs] | None:
        return ("example_inputs() of the file", example) if example is not None else None

    entry, code = plan.entry, plan.code
    return Target(
        description=f"{entry.kind} {entry.name} (line {entry.line}); ran {code.kept} of {code.total} statements",
        build=file.build,
        known_inputs=known_inputs,
        training_loss=file.hook("training_loss"),
        build_optimizer=file.hook("build_optimizer"),
        hints=plan.hints,
        file_name=plan.path.name,
    )
