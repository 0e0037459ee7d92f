"""One forward and backward pass before the traced steps: settles inputs and loss, counts parameters and FLOPs."""

from __future__ import annotations

import contextlib
import fnmatch
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from dnnlint.estimators.dependence import size_of_unknown_value
from dnnlint.estimators.errors import OptionError, TargetError
from dnnlint.estimators.flops import flop_counter
from dnnlint.estimators.options import EstimateOptions, InputSpec
from dnnlint.estimators.simulation import Attention, DataDependentError, SimulatedDevice, SimulationError, simulate
from dnnlint.estimators.targets.batches import Batch, add_target, call_model, on_device, readings
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
_LOSS_HELP = "Define example_inputs(batch_size) in the file: what training_loss(model, inputs) takes as inputs."


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


@dataclass(frozen=True, slots=True)
class _Trial:
    """A batch that ran, and what ran on it."""

    candidate: Candidate
    batch: Any
    output: Any
    loss: Loss | None
    flops: int


def probe(target: Target, options: EstimateOptions, hint: str | None, device: SimulatedDevice, notes: Notes) -> Probe:
    """Build the model once and run it on the first inputs that suit it."""
    training = options.mode == "train"
    own_loss = target.training_loss if training else None
    with simulate(device, Attention(options.attention)) as simulation:
        model = freeze(target.build(), options.freeze).to("cuda").train(training)
        if training and not any(parameter.requires_grad for parameter in model.parameters()):
            raise OptionError("No parameter of the model needs a gradient.", "Freeze less, or use --mode inference.")
        with torch.set_grad_enabled(training):
            if own_loss is not None:
                trial = _try_own_loss(own_loss, _candidates(model, target, options, training), model, hint)
            else:
                trial = _try_usual(_candidates(model, target, options, training), model, hint, training, notes)
        forward = own_loss or call_model
        place = size_of_unknown_value(simulation, lambda: forward(model, trial.batch))
        if place is not None:
            _unknown_size(target, place, notes)
        counts = parameter_count(model)
        counts.setdefault(type(model).__name__, counts[""])
    if trial.candidate.source == "probe" and not trial.candidate.is_known:
        notes.assume(f"the inputs are {trial.candidate.text}: the target does not describe them")
    flops = trial.flops / PROBE_BATCH if trial.flops else None
    return Probe(trial.candidate, trial.loss, counts, flops, place is None)


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


def _candidates(model: nn.Module, target: Target, options: EstimateOptions, training: bool) -> Iterator[Candidate]:
    if options.inputs:
        yield Candidate(f"{_text(options.inputs)}, from --input", from_specs(options.inputs), "--input")
        return
    known = target.known_inputs(model, options, training)
    if known is not None:
        yield Candidate(*known, target.file_name or "probe", is_known=True)
        return
    yield from candidates(model, options, training)


def _text(specs: tuple[InputSpec, ...]) -> str:
    return ", ".join(
        " ".join(filter(None, [spec.name, "x".join(map(str, spec.shape)) or "one", spec.dtype])) for spec in specs
    )


def _try_usual(
    options: Iterator[Candidate], model: nn.Module, hint: str | None, training: bool, notes: Notes
) -> _Trial:
    """Call the model on the first batch that suits it; in training, choose a loss and go backward."""
    ways = (way for option in options for way in readings(option, model, PROBE_BATCH))
    trial = _first_that_runs(ways, model)
    if not training:
        return trial
    with flop_counter() as counter:
        loss = _apply_loss(model, trial.batch, trial.output, hint, notes)
    return replace(trial, loss=loss, flops=trial.flops + counter.get_total_flops())


def _first_that_runs(ways: Iterator[Candidate], model: nn.Module) -> _Trial:
    failures: list[tuple[Candidate, Exception]] = []
    for candidate in ways:
        counter = flop_counter()
        try:
            batch = on_device(candidate.make(PROBE_BATCH))
            with counter:
                output = call_model(model, batch)
            return _Trial(candidate, batch, output, None, counter.get_total_flops())
        except (SimulationError, TargetError, MemoryError):
            raise
        except Exception as error:
            failures.append((candidate, error))
    name = type(model).__name__
    if not failures:
        raise TargetError(f"Nothing about {name} tells what its inputs are.", _HELP)
    candidate, first = failures[0]
    more = f" ({len(failures) - 1} more shapes failed too)" if len(failures) > 1 else ""
    reason = f"{type(first).__name__} {first_line(first)}".rstrip(". ")
    raise TargetError(f"{name} does not run on {candidate.text}: {reason}{more}.", _HELP) from first


def _apply_loss(model: nn.Module, batch: Any, output: Any, hint: str | None, notes: Notes) -> Loss:
    inputs, given = (batch.inputs, batch.target) if isinstance(batch, Batch) else (batch, None)
    try:
        loss = choose_loss(output, inputs, hint, PROBE_BATCH, given)
        wanted = given if loss.target is None else loss.target(PROBE_BATCH)
        loss(output, None if wanted is None else wanted.to("cuda")).backward()
    except (SimulationError, MemoryError):
        raise
    except Exception as error:
        raise TargetError(
            f"No loss suits what {type(model).__name__} returns: {type(error).__name__} {first_line(error)}.",
            "Define training_loss(model, inputs) in the file.",
        ) from error
    if loss.name not in (hint, "model"):
        notes.assume(f"the loss is {loss.text}: the target does not define one")
    return loss


OwnLoss = Callable[[nn.Module, Any], Any]


def _try_own_loss(own_loss: OwnLoss, options: Iterator[Candidate], model: nn.Module, hint: str | None) -> _Trial:
    """Call the file's ``training_loss`` on what it can take as its inputs."""
    failure: TargetError | None = None
    for candidate in (way for option in options for way in _ways_to_train(option, model, hint)):
        batch, counter = on_device(candidate.make(PROBE_BATCH)), flop_counter()
        try:
            with counter:
                _go_backward(own_loss(model, batch))
        except TargetError as error:
            if error.__cause__ is None or candidate.text.startswith("example_inputs()"):
                raise
            failure = failure or error
        else:
            return _Trial(candidate, batch, None, None, counter.get_total_flops())
    if failure is not None:
        raise TargetError(f"No guess at its inputs suits training_loss(): {failure.message}", _LOSS_HELP) from failure
    raise TargetError(f"Nothing about {type(model).__name__} tells what training_loss() takes.", _LOSS_HELP)


def _ways_to_train(option: Candidate, model: nn.Module, hint: str | None) -> Iterator[Candidate]:
    """Yield what the file describes as it is; a guess with a target first, since a tensor can be unpacked, too."""
    value = option.make(PROBE_BATCH)
    if option.text.startswith("example_inputs()") or not isinstance(value, torch.Tensor):
        yield option
    if option.text.startswith("example_inputs()") or isinstance(value, Mapping):
        return
    with contextlib.suppress(ValueError, TypeError, RuntimeError, AttributeError, IndexError):
        batch = on_device(value)
        loss = choose_loss(call_model(model, batch), batch, hint, PROBE_BATCH)
        if loss.target is not None and loss.target(PROBE_BATCH) is not None:
            yield add_target(option, loss.target, loss.name)
    if isinstance(value, torch.Tensor):
        yield option


def _go_backward(loss: Any) -> None:
    if not isinstance(loss, torch.Tensor) or loss.dim() != 0:
        kind = f"a tensor of shape {tuple(loss.shape)}" if isinstance(loss, torch.Tensor) else type(loss).__name__
        raise TargetError(f"training_loss() of the file returns {kind}, no scalar tensor.", "Return the loss alone.")
    if not loss.requires_grad:
        raise TargetError("The loss of training_loss() needs no gradient.", "Compute it from the model's output.")
    loss.backward()


def first_line(error: Exception) -> str:
    """Return the first line of an error's text, cut to a readable length."""
    return (str(error).strip().splitlines() or [""])[0][:200]


def batch_maker(found: Probe) -> Callable[[int], Any]:
    """Return what makes one batch: the inputs, with the loss's target where there is one."""
    loss = found.loss
    if loss is None or loss.target is None:
        return found.inputs.make
    make_target = loss.target
    return lambda size: Batch(found.inputs.make(size), make_target(size))
