"""DNN108: a training loop on CUDA in plain float32."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.finding import Severity
from dnnlint.program.evaluations import model_sites, models_trained_by
from dnnlint.program.lightning import fitted_trainers, may_be_configured_elsewhere, option, runs_on_gpu
from dnnlint.program.precision import device_types
from dnnlint.program.tree import Activation, Event, Kind, walk
from dnnlint.program.values import External, Ref
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.facts import Call
    from dnnlint.program import Program
    from dnnlint.program.training import TrainingLoop

_HELP = 'Compute the loss under `torch.autocast("cuda", dtype=torch.bfloat16)`, or allow TF32.'
_TRAINER_HELP = 'Pass `precision="bf16-mixed"`, or allow TF32 with `torch.set_float32_matmul_precision("high")`.'
# Words of names that set a precision, here or in another file that the loop uses.
_WORDS = frozenset(
    "amp autocast gradscaler fp16 bf16 float16 bfloat16 half mixed precision tf32 float64 double complex64".split()
)
_TYPE_ARGUMENTS = ("torch_dtype", "dtype", "quantization_config", "load_in_8bit", "load_in_4bit")
_FRAMEWORKS = ("accelerate", "lightning", "pytorch_lightning", "deepspeed", "apex", "torch_xla", "ignite", "fairscale")


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each loop of a file that moves to CUDA and names no precision, and each such trainer of Lightning."""
    yield from _trainers(program)
    if program.imports(*_FRAMEWORKS):
        return
    moves = _moves_to_cuda(program)
    if not moves or _names_a_precision(program) or _loads_in_a_type(program):
        return
    moved = {found for call in moves for found in _moved_sites(program, call)}
    for loop in program.training_loops:
        if not _is_on_cuda(program, loop, moves, moved):
            continue
        node = _forward_of(loop).call.node
        message = f"{quoted(program, node)} runs on CUDA in float32: the file uses neither autocast nor TF32."
        yield Report(node, message, _HELP)


def _trainers(program: Program) -> Iterator[Report]:
    trainers = [trainer for trainer in fitted_trainers(program) if runs_on_gpu(program, trainer)]
    if not trainers or _names_a_precision(program):
        return
    for trainer in trainers:
        if option(program, trainer, "precision") is None and not may_be_configured_elsewhere(program, trainer):
            text = quoted(program, trainer.node, 50)
            yield Report(trainer.node, f"{text} trains in float32: `precision` is not set.", _TRAINER_HELP)


def _forward_of(loop: TrainingLoop) -> Event:
    """The forward pass in front of the first backward, or that backward."""
    backward = loop.backwards[0]
    found = backward
    for event in loop.of():
        if event is backward:
            break
        if event.kind == Kind.FORWARD:
            found = event
    return found


def _moves_to_cuda(program: Program) -> list[Call]:
    moved = [call for call in program.resolver.sites_named("cuda") if _is_method(program, call)]
    return moved + [call for call in program.resolver.sites_named("to") if _is_moved(program, call)]


def _moved_sites(program: Program, call: Call) -> frozenset[Hashable]:
    """What a move is applied to, and what it returns."""
    func = call.node.func
    values = program.resolve(func.value, call) if isinstance(func, cst.Attribute) else ()
    return model_sites(program, values) | {("result", id(call.node))}


def _is_on_cuda(program: Program, loop: TrainingLoop, moves: list[Call], moved: set[Hashable]) -> bool:
    """Whether the trained model was moved, or a batch in the loop; a batch that another moved model takes is none."""
    trained = frozenset(site for step in loop.steps for site in models_trained_by(program, step.targets))
    trained |= model_sites(program, _forward_of(loop).targets)
    if trained & moved:
        return True
    run = frozenset(site for event in loop.of(Kind.FORWARD) for site in model_sites(program, event.targets))
    return not (run - trained) & moved and any(_is_inside(loop, call) for call in moves)


def _is_inside(loop: TrainingLoop, call: Call) -> bool:
    if loop.window is not None and call.block.within(loop.window.loop.body):
        return True
    inner = {id(node.function) for node in walk(loop.body) if isinstance(node, Activation)}
    around = {id(event.call.block.function) for event in loop.backwards} if loop.window is None else set()
    return id(call.block.function) in inner | around


def _is_method(program: Program, call: Call) -> bool:
    func = call.node.func
    return isinstance(func, cst.Attribute) and not any(
        isinstance(value, External) for value in program.resolve(func.value, call)
    )


def _is_moved(program: Program, call: Call) -> bool:
    given = program.argument(call, "device", 0)
    return given is not None and "cuda" in device_types(program.resolver, Ref(given.node, given.place))


def _loads_in_a_type(program: Program) -> bool:
    """Whether a pretrained model is told its type, or to be quantized: its weights need not be float32."""
    calls = program.resolver.sites_named("from_pretrained")
    return any(program.argument(call, name) is not None for call in calls for name in _TYPE_ARGUMENTS)


def _names_a_precision(program: Program) -> bool:
    names = list(program.facts.attribute_loads)
    names += [*program.resolver.stored_attributes]
    names += [full for full, _ in program.facts.imports]
    names += [call.attribute for call in program.facts.calls]
    names += [a.keyword.value for call in program.facts.calls for a in call.node.args if a.keyword is not None]
    names += [parameter.name for function in program.facts.functions for parameter in function.parameters]
    return any(_WORDS.intersection(re.split(r"[^a-z0-9]+", name.lower())) for name in names)


RULE = Rule("DNN108", "no-mixed-precision", Severity.ADVICE, "S3.2.2a", check)
