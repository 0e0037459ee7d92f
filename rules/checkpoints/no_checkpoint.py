"""DNN701: a training script that never saves its model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Call, qualified_names
from dnnlint.finding import Severity
from dnnlint.program.evaluations import models_trained_by
from dnnlint.program.roles import site
from dnnlint.program.scripts import called_parts, is_notebook, script_loops, unknown_events
from dnnlint.program.tree import Activation, Kind, ancestors
from dnnlint.program.values import Place, Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_SAVES = re.compile(
    r"save|checkpoint|ckpt|export|dump|snapshot|persist|seriali[sz]|push|upload|log_?model|artifact|store|backup|archive|"
    r"publish|callback|hook|write_model|put$|send$",
    re.I,
)
# Library functions with such names that write no weights.
_WRITES_NO_MODEL = (
    "torchvision.",
    "torch.utils.checkpoint",
    "matplotlib.",
    "json.",
    "yaml.",
    "torch.autograd.graph.",
    "numpy.savetxt",
    "torch.cuda.",
)
_METHODS_WITHOUT_MODEL = frozenset({"savefig", "save_image", "restore", "model_dump", "save_figure", "save_plot"})
_FRAMEWORKS = tuple(
    "lightning pytorch_lightning lightning_fabric ignite composer ray mmengine mmcv colossalai fastai catalyst "
    "determined horovod torchsnapshot flwr".split()
)


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report the first training loop of a script that writes no weights."""
    loops = [loop for loop in script_loops(program) if _trains_network(program, loop)]
    if not loops or is_notebook(program) or program.imports(*_FRAMEWORKS):
        return
    if any(_may_save(call) for call in program.facts.calls) or program.events(Kind.SAVE) or unknown_events(program):
        return
    if _reads_weights(program) or any(_returns_model(program, loop) for loop in loops):
        return
    backward = next((found for loop in loops if (found := next(iter(loop.backwards), None))), None)
    if backward is not None:
        yield Report(
            backward.call.node,
            f"{quoted(program, backward.call.node)} trains a model that the script never saves.",
            "Save the state of model, optimizer and progress with `torch.save` every so many steps.",
        )


def _trains_network(program: Program, loop: TrainingLoop) -> bool:
    return any(models_trained_by(program, step.targets) for step in loop.steps) or bool(loop.of(Kind.FORWARD))


def _may_save(call: Call) -> bool:
    if call.attribute in _METHODS_WITHOUT_MODEL or not any(_SAVES.search(part) for part in called_parts(call)):
        return False
    names = qualified_names(call)
    return not (names and all(name.startswith(_WRITES_NO_MODEL) for name in names))


def _reads_weights(program: Program) -> bool:
    """Whether the weights are taken out of a model other than to load them into one."""
    sites = program.resolver.sites_named
    loaded = {id(a.value) for call in sites("load_state_dict") for a in call.node.args}
    return any(id(call.node) not in loaded for call in sites("state_dict"))


def _returns_model(program: Program, loop: TrainingLoop) -> bool:
    """Whether a function around the loop hands the trained model on."""
    trained = {found for step in loop.steps for found in models_trained_by(program, step.targets)}
    trained |= {site(value) for event in loop.of(Kind.FORWARD) for value in event.targets}
    for outer in ancestors(loop.body):
        if isinstance(outer, Activation):
            for jump in outer.function.returns:
                place = Place(outer.frame, jump.block, jump.order)
                for node in _parts(jump.value):
                    if trained & {site(value) for value in program.resolver.resolve(Ref(node, place))}:
                        return True
    return False


def _parts(node: cst.BaseExpression | None) -> list[cst.BaseExpression]:
    if isinstance(node, cst.Tuple):
        return [element.value for element in node.elements]
    return [node] if node is not None else []


RULE = Rule("DNN701", "no-checkpoint", Severity.WARNING, "S5.2.1", check)
