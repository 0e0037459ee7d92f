"""The work of the child process: from a target and its options to the numbers of the report."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import nn

import dnnlint
from dnnlint.estimators import request as orders
from dnnlint.estimators.allocator import AllocatorConfig, NoteKind, Peaks, Phase, Trace, Usage, parse_alloc_conf, replay
from dnnlint.estimators.devices import Gpu, custom_gpu, find_gpu
from dnnlint.estimators.errors import EstimateError, TargetError
from dnnlint.estimators.options import EstimateOptions, Setting
from dnnlint.estimators.probing import Batch, Probe, batch_maker, call_model, freeze, probe
from dnnlint.estimators.report import schema
from dnnlint.estimators.report.verdict import decide, doubted, interval_of, no_verdict
from dnnlint.estimators.sandbox import files
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
from dnnlint.estimators.targets import guards
from dnnlint.estimators.targets.notes import Notes
from dnnlint.estimators.targets.optimizers import build_optimizer
from dnnlint.estimators.targets.resolve import Target, open_target

ASSUMED_GPU = "a100-80gb"
NEW_TOKENS = 32
MOST_MODULES = 10

NOT_MODELLED = (
    "workspaces of cuDNN convolutions, which it chooses at run time",
    "memory of other processes on the GPU, and of libraries beside PyTorch (NCCL, DALI, TensorRT)",
)

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
    for text in (
        target.hints.unresolved if decided.sources["optimizer"].source.startswith(target.file_name or "-") else ()
    ):
        notes.assume(f"{text} is not a literal: the optimizer's default is used")
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
        largest = _largest(options, decided, trace_at, gpu, config, emit, notes)
    report = _report(target_name, options, decided, target, found, trace, usage, gpu, config, notes)
    now = time.perf_counter()
    return report | largest | {"seconds": {"traced": round(traced - start, 3), "total": round(now - start, 3)}}


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
        accumulation=decided.accumulate,
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
        output = call_model(model, batch.inputs)
        return output, loss(output, batch.target)

    def optimizer(model: nn.Module) -> torch.optim.Optimizer:
        if own_optimizer is not None and options.optimizer is None:
            made = own_optimizer(model)
            if not isinstance(made, torch.optim.Optimizer):
                raise TargetError(
                    "build_optimizer() of the file returns no optimizer.", "Return a torch.optim.Optimizer."
                )
            return made
        return build_optimizer(model, decided.optimizer, options.foreach, options.fused)

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
            raise EstimateError(
                f"The operator {error.operator} has no rule: {error}.",
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
    decided: Decided,
    trace_at: Callable[[int], Trace],
    gpu: Gpu,
    config: AllocatorConfig,
    emit: Emit,
    notes: Notes,
) -> dict[str, object]:
    if options.gpu is None and options.gpu_memory_bytes is None:
        return {"max_batch": None}
    from dnnlint.estimators.planning import find_largest_batch

    emit("looking for the largest batch")
    try:
        largest, how = find_largest_batch(trace_at, gpu, options.headroom, config)
    except (RuntimeError, ValueError, TypeError, AssertionError) as error:
        if options.max_batch:
            raise
        notes.notice(
            f"the largest batch was not found: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
        )
        return {"max_batch": None}
    notes.notice(f"the largest batch was found {how}")
    return {"max_batch": largest}


def _report(
    name: str,
    options: EstimateOptions,
    decided: Decided,
    target: Target,
    found: Probe,
    trace: Trace,
    usage: Usage,
    gpu: Gpu,
    config: AllocatorConfig,
    notes: Notes,
) -> dict[str, object]:
    peak = usage.steady.peaks
    worst = max(step.peaks.reserved_bytes for step in usage.steps)
    asked = options.gpu is not None or options.gpu_memory_bytes is not None
    verdict = (
        decide(worst, gpu, options.headroom, lambda size: replay(trace, config, size).out_of_memory is None)
        if asked
        else no_verdict(options.headroom)
    )
    if not found.knows_sizes:
        verdict = doubted(verdict, "sizes follow values of a run, for which placeholders stand")
    memory = partial(_memory, gpu)
    sources = decided.sources | {"inputs": Setting(found.inputs.text, "--input" if options.inputs else "probe")}
    if found.loss is not None:
        origin = "default" if decided.loss is None or found.loss.name == "model" else f"{target.file_name}"
        sources["loss"] = Setting(found.loss.text, "model" if found.loss.name == "model" else origin)
    elif options.mode == "train":
        sources["loss"] = Setting("training_loss()", target.file_name)
    flops = found.flops_per_sample
    steps = decided.batch * decided.accumulate
    if files.redirected:
        notes.notice(f"{len(files.redirected)} file writes went to a scratch folder")
    estimate = schema.Estimate(
        target=name,
        entry=target.description,
        config=sources,
        device=_device(gpu),
        peak=memory(peak),
        phases={phase.value: memory(peaks) for phase, peaks in usage.steady.phases.items()},
        first_step=memory(usage.first.peaks),
        at_peak=schema.AtPeak(**dict(usage.at_peak.items())),
        peak_at=schema.PeakPlace(usage.peak_phase.value, usage.peak_module, usage.peak_operator),
        modules=tuple(
            schema.ModuleShare(holder.module, holder.size_bytes, found.parameters.get(holder.module, 0))
            for holder in usage.holders[:MOST_MODULES]
        ),
        parameters=trace.parameter_count,
        trainable_parameters=trace.trainable_count,
        flops_per_step=None if flops is None else round(flops * steps),
        operators=trace.operator_count,
        timeline=_timeline(usage),
        interval=interval_of(worst, gpu),
        verdict=verdict,
        max_batch=None,
        assumptions=(*notes.assumptions, *_notes(trace, NoteKind.ASSUMPTION)),
        placeholders=_notes(trace, NoteKind.PLACEHOLDER),
        not_modelled=(*NOT_MODELLED, *_notes(trace, NoteKind.NOT_MODELLED)),
        warnings=(*notes.notices, *_notes(trace, NoteKind.NOTICE)),
        sandbox={},
        versions={"dnnlint": dnnlint.__version__, "torch": torch.__version__, "python": sys.version.split()[0]},
        seconds={},
    )
    return estimate.to_json()


def _timeline(usage: Usage) -> tuple[schema.TimelinePoint, ...]:
    """Return the levels of the steady step; what follows its last phase is its end, not another forward pass."""
    phases = [point.phase for point in usage.timeline]
    last = max((index for index, phase in enumerate(phases) if phase is not Phase.FORWARD), default=len(phases))
    return tuple(
        schema.TimelinePoint(point.phase.value if index <= last else "end", point.allocated_bytes, point.reserved_bytes)
        for index, point in enumerate(usage.timeline)
    )


def _device(gpu: Gpu) -> schema.DeviceReport:
    major, minor = gpu.compute_capability
    context = gpu.context
    return schema.DeviceReport(
        gpu.name,
        gpu.memory_bytes,
        f"{major}.{minor}",
        gpu.multiprocessors,
        context.low_bytes,
        context.high_bytes,
        f"{gpu.source} ({gpu.date})" if gpu.date else gpu.source,
        context.source,
    )


def _memory(gpu: Gpu, peaks: Peaks) -> schema.Memory:
    return schema.Memory(peaks.allocated_bytes, peaks.reserved_bytes, peaks.reserved_bytes + gpu.context.high_bytes)


def _notes(trace: Trace, kind: NoteKind) -> tuple[str, ...]:
    found = [note for note in trace.notes if note.kind is kind]
    return tuple(note.text if note.count == 1 else f"{note.text} ({note.count} times)" for note in found)
