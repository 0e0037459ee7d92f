"""The work of the child process: from a target and its options to the numbers of the report."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import nn

from dnnlint.estimators import request as orders
from dnnlint.estimators.allocator import AllocatorConfig, Trace, parse_alloc_conf, replay
from dnnlint.estimators.devices import Gpu, custom_gpu, find_gpu
from dnnlint.estimators.errors import EstimateError, TargetError
from dnnlint.estimators.options import EstimateOptions
from dnnlint.estimators.probing import Probe, batch_maker, first_line, freeze, probe
from dnnlint.estimators.settings import Decided, decide_settings
from dnnlint.estimators.simulation import (
    Attention,
    DataDependentError,
    Mode,
    Precision,
    SimulatedDevice,
    SimulationError,
    StepSettings,
    TrainingProgram,
    UnsupportedOperatorError,
    ZeroGrad,
    trace_program,
)
from dnnlint.estimators.startup import keep_compiler_away
from dnnlint.estimators.summary import Findings, summarize
from dnnlint.estimators.targets import guards
from dnnlint.estimators.targets.batches import Batch, call_model
from dnnlint.estimators.targets.notes import Notes
from dnnlint.estimators.targets.optimizers import build_optimizer, stepping_without_closure
from dnnlint.estimators.targets.resolve import Target, open_target

ASSUMED_GPU = "a100-80gb"
NEW_TOKENS = 32
TRACED_MICRO_BATCHES = 4
"""From the second micro-batch of a window on, each repeats the one before it, give or take how blocks are split."""

Emit = Callable[[str], None]


def work(data: Mapping[str, Any], emit: Emit) -> dict[str, object]:
    """Estimate what ``data`` orders and return the report as a JSON object."""
    start = time.perf_counter()
    target_name, options = orders.from_json(data)
    notes = Notes()
    keep_compiler_away()
    guards.install(notes)
    emit("reading the target")
    target = open_target(target_name, options, notes)
    decided = decide_settings(options, target.hints, target.file_name, target.build_optimizer is not None)
    _doubt(decided, target, notes)
    if decided.accumulate > TRACED_MICRO_BATCHES:
        notes.notice(f"{TRACED_MICRO_BATCHES} of {decided.accumulate} micro-batches are traced: the others repeat them")
    gpu = _gpu(options, notes)
    device = SimulatedDevice(gpu.compute_capability, gpu.memory_bytes, gpu.multiprocessors, gpu.name)
    with _Explained():
        emit("building the model and trying its inputs")
        found = probe(target, options, decided.loss, device, notes)
        program = _program(target, options, decided, found)
        trace_at = partial(_trace, program, device, _step_settings(options, decided), emit)
        trace = trace_at(decided.batch)
        traced = time.perf_counter()
        config = parse_alloc_conf(options.alloc_conf or "")
        emit("replaying the allocator")
        usage = replay(trace, config)
        largest = _largest(options, trace_at, gpu, config, emit, notes)
    seconds = {"traced": round(traced - start, 3), "total": round(time.perf_counter() - start, 3)}
    findings = Findings(
        target_name, options, decided, target, found, trace, usage, gpu, config, notes, largest, seconds
    )
    return summarize(findings).to_json()


def _doubt(decided: Decided, target: Target, notes: Notes) -> None:
    """Say what the file leaves open about settings that neither an option nor a hook decides."""
    for name, texts in target.hints.doubts.items():
        source = decided.sources[name].source
        if source == "default" or source.startswith(f"{target.file_name}:"):
            for text in texts:
                notes.assume(text)
    for text in target.hints.beside:
        notes.assume(text)


def _gpu(options: EstimateOptions, notes: Notes) -> Gpu:
    base = find_gpu(options.gpu) if options.gpu is not None else None
    if options.gpu_memory_bytes is not None:
        if base is None:
            notes.assume("kernels are chosen as on compute capability 8.0: no --gpu is named")
        return custom_gpu(options.gpu_memory_bytes, base)
    if base is None:
        notes.assume("kernels are chosen as on an A100: no --gpu is named")
    return base or find_gpu(ASSUMED_GPU)


def _step_settings(options: EstimateOptions, decided: Decided) -> StepSettings:
    return StepSettings(
        precision=Precision(decided.precision),
        accumulation=min(decided.accumulate, TRACED_MICRO_BATCHES),
        clip_grad_norm=decided.clip,
        zero_grad=ZeroGrad(decided.zero_grad),
        mode=Mode(options.mode),
        steps=options.steps,
        checkpointing=options.checkpointing,
        attention=Attention(options.attention),
        new_tokens=NEW_TOKENS,
    )


def _program(target: Target, options: EstimateOptions, decided: Decided, found: Probe) -> TrainingProgram:
    loss, own_loss, own_optimizer = found.loss, target.training_loss, target.build_optimizer

    def training_loss(model: nn.Module, batch: Any) -> Any:
        if own_loss is not None:
            return own_loss(model, batch)
        assert loss is not None
        assert isinstance(batch, Batch)
        output = call_model(model, batch)
        return output, loss(output, batch.target)

    def optimizer(model: nn.Module) -> torch.optim.Optimizer:
        if own_optimizer is not None and options.optimizer is None:
            made = own_optimizer(model)
            if not isinstance(made, torch.optim.Optimizer):
                raise TargetError(
                    "build_optimizer() of the file returns no optimizer.", "Return a torch.optim.Optimizer."
                )
            return stepping_without_closure(made)
        return stepping_without_closure(build_optimizer(model, decided.optimizer, options.foreach, options.fused))

    return TrainingProgram(
        build_model=lambda: freeze(target.build(), options.freeze),
        make_batch=batch_maker(found),
        training_loss=training_loss,
        build_optimizer=optimizer,
        forward=_greedy if options.mode == "generate" else call_model,
    )


def _greedy(model: nn.Module, inputs: Any) -> Any:
    """Generate NEW_TOKENS tokens greedily with the key-value cache, as ``generate(do_sample=False)`` does."""
    tokens = inputs.pop("input_ids") if isinstance(inputs, dict) and "input_ids" in inputs else None
    if tokens is None:
        raise TargetError("--mode generate needs a model that takes input_ids.", "Use --mode inference.")
    past = None
    # generate() asks for the logits of the last position alone.
    last: dict[str, Any] = (
        {"logits_to_keep": 1} if "logits_to_keep" in inspect.signature(model.forward).parameters else {}
    )
    for _ in range(NEW_TOKENS):
        output = model(input_ids=tokens, past_key_values=past, use_cache=True, **last)
        past = output.past_key_values
        tokens = output.logits[:, -1:].argmax(-1)
    return tokens, past


def _trace(program: TrainingProgram, device: SimulatedDevice, settings: StepSettings, emit: Emit, batch: int) -> Trace:
    return trace_program(program, batch, device, settings, lambda stage: emit(f"batch {batch}: {stage}"))


class _Explained:
    """Turn the simulation's errors into messages that say what to do."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, UnsupportedOperatorError):
            reason = str(error).partition(": ")[2] or str(error)
            raise EstimateError(
                f"The operator {error.operator} has no rule: {reason}.",
                "Nothing is guessed. Estimate the model without it, or report the operator.",
            ) from error
        if isinstance(error, DataDependentError):
            raise EstimateError(
                f"The program depends on data that only a real run has: {error}.", _DATA_HELP
            ) from error
        if isinstance(error, SimulationError):
            raise EstimateError(f"{error}.", "Change the option that asks for it, or name another entry.") from error


_DATA_HELP = "Make shapes independent of values, or name with --entry the part of the model that is."


def _largest(
    options: EstimateOptions,
    trace_at: Callable[[int], Trace],
    gpu: Gpu,
    config: AllocatorConfig,
    emit: Emit,
    notes: Notes,
) -> int | None:
    if not options.names_device:
        return None
    from dnnlint.estimators.planning import find_largest_batch

    emit("looking for the largest batch")
    try:
        largest, how = find_largest_batch(trace_at, gpu, options.headroom, config)
    except (RuntimeError, ValueError, TypeError, AssertionError) as error:
        if options.max_batch:
            raise
        notes.notice(f"the largest batch was not found: {type(error).__name__} {first_line(error)}")
        return None
    notes.notice(f"the largest batch was found {how}")
    return largest
