"""Runs a training program on the simulated device, the way its loop would."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping

import torch
from torch import nn

from dnnlint.estimators.allocator import Category, NoteKind, Phase, Trace
from dnnlint.estimators.simulation.device import SimulatedDevice
from dnnlint.estimators.simulation.errors import SimulationError
from dnnlint.estimators.simulation.program import Mode, Precision, StepSettings, TrainingProgram, ZeroGrad
from dnnlint.estimators.simulation.session import Simulation, simulate

Progress = Callable[[str], None]


def trace_program(
    program: TrainingProgram,
    batch: int,
    device: SimulatedDevice | None = None,
    settings: StepSettings | None = None,
    progress: Progress | None = None,
) -> Trace:
    """Build the model, run ``settings.steps`` steps of ``batch`` samples, and return the trace.

    Raises:
        UnsupportedOperatorError: when an operator of the program has no shape rule.

    """
    settings = settings or StepSettings()
    report = progress or (lambda text: None)
    with simulate(device, settings.attention) as simulation:
        report("building the model")
        model = _built(program, settings, simulation)
        simulation.watch(model, settings.watch_modules)
        if settings.mode is Mode.TRAIN:
            return _train(simulation, program, model, batch, settings, report)
        return _infer(simulation, program, model, batch, settings, report)


def enable_checkpointing(model: nn.Module) -> bool:
    """Turn on the model's own gradient checkpointing; false when it offers none."""
    enable = getattr(model, "gradient_checkpointing_enable", None)
    if enable is not None:
        enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        return True
    enable = getattr(model, "set_grad_checkpointing", None)
    if enable is not None:
        enable(True)
        return True
    if hasattr(model, "use_checkpoint"):
        setattr(model, "use_checkpoint", True)  # noqa: B010 - the attribute is not one of nn.Module
        return True
    return False


def _built(program: TrainingProgram, settings: StepSettings, simulation: Simulation) -> nn.Module:
    dtype = settings.precision.weight_dtype
    if settings.build_on_device:
        with _default_dtype(dtype), torch.device("cuda"):
            model = program.build_model()
    else:
        model = program.build_model()
        model = model.to(dtype) if dtype is not None else model
    if settings.checkpointing and not enable_checkpointing(model):
        raise SimulationError(f"{type(model).__name__} offers no gradient checkpointing to turn on")
    if settings.channels_last:
        model = model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return model.to("cuda").train(settings.mode is Mode.TRAIN)


@contextlib.contextmanager
def _default_dtype(dtype: torch.dtype | None) -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype or before)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _to_device(value: object, settings: StepSettings) -> object:
    """Copy a batch to the device, images in the memory format and type of the weights."""
    if isinstance(value, torch.Tensor):
        value = value.to("cuda")
        if settings.precision.weight_dtype is not None and value.is_floating_point():
            value = value.to(settings.precision.weight_dtype)
        if settings.channels_last and value.dim() == 4:
            value = value.to(memory_format=torch.channels_last)
        return value
    if isinstance(value, Mapping):
        return {name: _to_device(item, settings) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_to_device(item, settings) for item in value]
        make: Callable[..., object] = type(value)
        return make(*items) if hasattr(value, "_fields") else make(items)
    return value


def _autocast(precision: Precision) -> torch.autocast:
    dtype = precision.autocast_dtype
    return torch.autocast("cuda", dtype=dtype or torch.bfloat16, enabled=dtype is not None)


def _train(
    simulation: Simulation,
    program: TrainingProgram,
    model: nn.Module,
    batch: int,
    settings: StepSettings,
    report: Progress,
) -> Trace:
    """Run the loop, and return the trace while its variables are still alive."""
    optimizer = program.build_optimizer(model)
    scaler = torch.amp.GradScaler("cuda") if settings.precision is Precision.AMP_FP16 else None
    result: object = None
    loss: torch.Tensor | None = None
    inputs: object = None
    for number in range(settings.steps):
        report(f"step {number + 1} of {settings.steps}")
        with simulation.step(number):
            optimizer.zero_grad(set_to_none=settings.zero_grad is ZeroGrad.NONE)
            for _ in range(settings.accumulation):
                if not settings.keeps_variables:
                    inputs = result = loss = None
                inputs = _to_device(program.make_batch(batch), settings)
                simulation.tag(inputs, Category.INPUTS)
                with _autocast(settings.precision):
                    result = program.training_loss(model, inputs)
                    loss = result[1] if isinstance(result, tuple) else result
                assert isinstance(loss, torch.Tensor)
                if settings.accumulation > 1:
                    loss = loss / settings.accumulation
                if isinstance(result, torch.Tensor):
                    result = None
                (loss if scaler is None else scaler.scale(loss)).backward()
            with simulation.phase(Phase.OPTIMIZER):
                _update(model, optimizer, scaler, settings)
    return simulation.trace


def _update(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler | None,
    settings: StepSettings,
) -> None:
    if settings.clip_grad_norm is not None:
        if scaler is not None:
            scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], settings.clip_grad_norm)
    if scaler is None:
        optimizer.step()
    else:
        scaler.step(optimizer)
        scaler.update()


def _infer(
    simulation: Simulation,
    program: TrainingProgram,
    model: nn.Module,
    batch: int,
    settings: StepSettings,
    report: Progress,
) -> Trace:

    def forward(model: nn.Module, inputs: object) -> object:
        if program.forward is not None:
            return program.forward(model, inputs)
        return _generate(model, inputs, settings.new_tokens) if settings.mode is Mode.GENERATE else _call(model, inputs)

    result: object = None
    for number in range(settings.steps):
        report(f"step {number + 1} of {settings.steps}")
        with simulation.step(number), torch.no_grad():
            inputs = _to_device(program.make_batch(batch), settings)
            simulation.tag(inputs, Category.INPUTS)
            with _autocast(settings.precision):
                result = forward(model, inputs)
    if result is None:
        simulation.note(NoteKind.NOTICE, "the forward pass returned nothing")
    return simulation.trace


def _call(model: nn.Module, inputs: object) -> object:
    if isinstance(inputs, Mapping):
        return model(**inputs)
    if isinstance(inputs, (list, tuple)):
        return model(*inputs)
    return model(inputs)


def _generate(model: nn.Module, inputs: object, new_tokens: int) -> object:
    """Read the prompt once, then one token at a time with the cache that the model returns."""
    result = _call(model, {**inputs, "use_cache": True} if isinstance(inputs, Mapping) else inputs)
    cache = getattr(result, "past_key_values", None)
    if cache is None:
        raise SimulationError(f"{type(model).__name__} returns no past_key_values, so generation cannot be followed")
    tokens = getattr(result, "logits", None)
    assert isinstance(tokens, torch.Tensor)
    token = tokens[:, -1:].argmax(-1)
    for _ in range(new_tokens - 1):
        result = model(input_ids=token, past_key_values=cache, use_cache=True)
        cache, token = result.past_key_values, result.logits[:, -1:].argmax(-1)
    return result
