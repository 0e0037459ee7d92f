"""One forward and backward pass before the traced steps: settles inputs and loss, counts parameters and FLOPs."""

from __future__ import annotations

import fnmatch
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from dnnlint.estimators.dependence import size_of_unknown_value
from dnnlint.estimators.errors import OptionError, TargetError
from dnnlint.estimators.options import EstimateOptions, InputSpec
from dnnlint.estimators.simulation import Attention, DataDependentError, SimulatedDevice, SimulationError, simulate
from dnnlint.estimators.targets.inputs import Candidate, candidates, from_specs
from dnnlint.estimators.targets.losses import Loss, choose_loss
from dnnlint.estimators.targets.notes import Notes
from dnnlint.estimators.targets.resolve import Target

with warnings.catch_warnings():
    # fvcore compiles a function when it is imported, which PyTorch deprecates.
    warnings.simplefilter("ignore")
    from fvcore.nn.parameter_count import parameter_count

PROBE_BATCH = 2
"""Batch normalisation refuses one sample in training."""

_HELP = "Describe the input with --input (such as --input 3x224x224), or define example_inputs(batch_size) in the file."


class Batch(NamedTuple):
    """What a training loop takes from its loader."""

    inputs: Any
    target: torch.Tensor | None


@dataclass(frozen=True, slots=True)
class Probe:
    """What the probe found out."""

    inputs: Candidate
    loss: Loss | None
    """None when the file defines the loss, and outside training."""
    parameters: Mapping[str, int]
    """Parameters by module name, children included; "" is the whole model."""
    flops_per_sample: float | None
    knows_sizes: bool
    """False when a size follows a value that only a real run computes."""


def probe(target: Target, options: EstimateOptions, hint: str | None, device: SimulatedDevice, notes: Notes) -> Probe:
    """Build the model once and run it on the first inputs that suit it."""
    training = options.mode == "train"
    with simulate(device, Attention(options.attention)) as simulation:
        model = freeze(target.build(), options.freeze).to("cuda").train(training)
        if training and not any(parameter.requires_grad for parameter in model.parameters()):
            raise OptionError("No parameter of the model needs a gradient.", "Freeze less, or use --mode inference.")
        counter = FlopCounterMode(display=False)
        with counter, torch.set_grad_enabled(training):
            candidate, inputs, output = _first_that_runs(_candidates(model, target, options, training), model)
            loss = None
            if training:
                loss = _probe_loss(target, model, inputs, output, hint, notes)
        place = size_of_unknown_value(simulation, lambda: call_model(model, inputs))
        if place is not None:
            _unknown_size(target, place, notes)
        flops = counter.get_total_flops()
        counts = parameter_count(model)
    return Probe(candidate, loss, counts, flops / PROBE_BATCH if flops else None, place is None)


def _unknown_size(target: Target, place: str, notes: Notes) -> None:
    """Refuse a user's file, which can be changed; say it of a library's model, which cannot."""
    text = f"sizes follow a number that is read from the device {place}"
    if target.file_name:
        raise DataDependentError(text)
    notes.assume(f"{text}: a placeholder stands for it")


def freeze(model: nn.Module, patterns: tuple[str, ...]) -> nn.Module:
    """Switch gradients off for the parameters whose names match a pattern."""
    for pattern in patterns:
        matching = [parameter for name, parameter in model.named_parameters() if fnmatch.fnmatchcase(name, pattern)]
        if not matching:
            some = ", ".join(name for name, _ in list(model.named_parameters())[:3])
            raise OptionError(
                f"--freeze '{pattern}' matches no parameter.", f"Names look like {some}; * matches any part."
            )
        for parameter in matching:
            parameter.requires_grad_(False)
    return model


def call_model(model: nn.Module, inputs: Any) -> Any:
    """Call a model with a dictionary as keywords, a tuple as positions, anything else as its one argument."""
    if isinstance(inputs, Mapping):
        return model(**inputs)
    return model(*inputs) if isinstance(inputs, (tuple, list)) else model(inputs)


def _candidates(model: nn.Module, target: Target, options: EstimateOptions, training: bool) -> Iterator[Candidate]:
    if options.inputs:
        yield Candidate(f"{_text(options.inputs)}, from --input", from_specs(options.inputs))
        return
    known = target.known_inputs(model, options, training)
    if known is not None:
        yield Candidate(*known)
        return
    yield from candidates(model, options, training)


def _text(specs: tuple[InputSpec, ...]) -> str:
    return ", ".join(
        f"{spec.name + ' ' if spec.name else ''}{'x'.join(map(str, spec.shape))} {spec.dtype}" for spec in specs
    )


def _first_that_runs(options: Iterator[Candidate], model: nn.Module) -> tuple[Candidate, Any, Any]:
    failures: list[tuple[Candidate, Exception]] = []
    for candidate in options:
        inputs, output, error = _attempt(candidate, model)
        if error is None:
            return candidate, inputs, output
        failures.append((candidate, error))
    name = type(model).__name__
    if not failures:
        raise TargetError(f"Nothing about {name} tells what its inputs are.", _HELP)
    candidate, error = failures[0]
    more = f" ({len(failures) - 1} more shapes failed too)" if len(failures) > 1 else ""
    reason = f"{type(error).__name__} {first_line(error)}".rstrip(". ")
    raise TargetError(f"{name} does not run on {candidate.text}: {reason}{more}.", _HELP) from error


def _attempt(candidate: Candidate, model: nn.Module) -> tuple[Any, Any, Exception | None]:
    """Return inputs and output, or the error that says that the inputs do not suit."""
    try:
        inputs = _on_device(candidate.make(PROBE_BATCH))
        return inputs, call_model(model, inputs), None
    except (SimulationError, TargetError, MemoryError):
        raise
    except Exception as error:
        return None, None, error


def first_line(error: Exception) -> str:
    """Return the first line of an error's text, cut to a readable length."""
    return (str(error).strip().splitlines() or [""])[0][:200]


def _on_device(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to("cuda")
    if isinstance(value, Mapping):
        return {name: _on_device(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_on_device(item) for item in value]
    return value


def _probe_loss(
    target: Target, model: nn.Module, inputs: Any, output: Any, hint: str | None, notes: Notes
) -> Loss | None:
    if target.training_loss is not None:
        value = target.training_loss(model, inputs)
        if not isinstance(value, torch.Tensor) or value.dim() != 0:
            raise TargetError("training_loss() of the file returns no scalar tensor.", "Return the loss alone.")
        value.backward()
        return None
    try:
        loss = choose_loss(output, inputs, hint, PROBE_BATCH)
        wanted = loss.target(PROBE_BATCH)
        loss(output, None if wanted is None else wanted.to("cuda")).backward()
    except (SimulationError, MemoryError):
        raise
    except Exception as error:
        raise TargetError(
            f"No loss suits what {type(model).__name__} returns: {type(error).__name__} {first_line(error)}.",
            "Define training_loss(model, inputs) in the file.",
        ) from error
    if hint is None and loss.name != "model":
        notes.assume(f"the loss is {loss.text}: the target does not define one")
    return loss


def batch_maker(found: Probe) -> Callable[[int], Any]:
    """Return what makes one batch: the inputs, with the loss's target where there is one."""
    loss = found.loss
    if loss is None:
        return found.inputs.make
    return lambda size: Batch(found.inputs.make(size), loss.target(size))
