"""Put together the report of one estimate from what its stages found."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial

import torch

import dnnlint
from dnnlint.estimators.allocator import AllocatorConfig, NoteKind, Peaks, Phase, Trace, Usage, replay
from dnnlint.estimators.dependence import SCALAR
from dnnlint.estimators.devices import Gpu
from dnnlint.estimators.options import EstimateOptions, Setting
from dnnlint.estimators.probing import Probe
from dnnlint.estimators.report import schema
from dnnlint.estimators.report.verdict import decide, doubted, interval_of, no_verdict
from dnnlint.estimators.sandbox import files
from dnnlint.estimators.settings import Decided
from dnnlint.estimators.targets.notes import Notes
from dnnlint.estimators.targets.resolve import Target

MOST_MODULES = 10

NOT_MODELLED = (
    "workspaces of cuDNN convolutions, which it chooses at run time",
    "memory of other processes on the GPU, and of libraries beside PyTorch (NCCL, DALI, TensorRT)",
)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the stages of an estimate leave for its report."""

    name: str
    options: EstimateOptions
    decided: Decided
    target: Target
    probe: Probe
    trace: Trace
    usage: Usage
    gpu: Gpu
    allocator: AllocatorConfig
    notes: Notes
    max_batch: int | None
    seconds: dict[str, float]

    @property
    def worst_reserved_bytes(self) -> int:
        """The highest reserved peak of all steps, the first included."""
        return max(step.peaks.reserved_bytes for step in self.usage.steps)


def summarize(found: Findings) -> schema.Estimate:
    """Return the report."""
    usage, trace, notes = found.usage, found.trace, found.notes
    memory = partial(_memory, found.gpu)
    if files.redirected:
        notes.notice(f"{len(files.redirected)} file writes went to a scratch folder")
    return schema.Estimate(
        target=found.name,
        entry=found.target.description,
        config=_settings(found),
        device=_device(found.gpu),
        peak=memory(usage.steady.peaks),
        phases={phase.value: memory(peaks) for phase, peaks in usage.steady.phases.items()},
        first_step=memory(usage.first.peaks),
        at_peak=schema.AtPeak(**dict(usage.at_peak.items())),
        peak_at=schema.PeakPlace(usage.peak_phase.value, usage.peak_module, usage.peak_operator),
        modules=_modules(found),
        parameters=trace.parameter_count,
        trainable_parameters=trace.trainable_count,
        flops_per_step=_flops(found),
        operators=trace.operator_count,
        timeline=_timeline(usage),
        interval=interval_of(found.worst_reserved_bytes, found.gpu, trace.convolution_bytes),
        verdict=_verdict(found),
        max_batch=found.max_batch,
        assumptions=(*notes.assumptions, *_notes(trace, NoteKind.ASSUMPTION)),
        placeholders=_notes(trace, NoteKind.PLACEHOLDER),
        not_modelled=(*NOT_MODELLED, *_notes(trace, NoteKind.NOT_MODELLED)),
        warnings=(*notes.notices, *_notes(trace, NoteKind.NOTICE)),
        sandbox={},
        versions={"dnnlint": dnnlint.__version__, "torch": torch.__version__, "python": sys.version.split()[0]},
        seconds=found.seconds,
    )


def _settings(found: Findings) -> dict[str, Setting]:
    """Add to the decided settings what the probe settled."""
    settings, loss = dict(found.decided.sources), found.probe.loss
    settings["inputs"] = Setting(found.probe.inputs.text, found.probe.inputs.source)
    if loss is None:
        if found.options.mode == "train":
            settings["loss"] = Setting("training_loss()", found.target.file_name)
    elif loss.name == "model":
        settings["loss"] = Setting(loss.text, "model")
    else:
        settings["loss"] = Setting(loss.text, found.target.file_name if found.decided.loss else "default")
    return settings


def _verdict(found: Findings) -> schema.Verdict:
    if not found.options.names_device:
        return no_verdict(found.options.headroom)

    def runs_within(capacity_bytes: int) -> bool:
        return replay(found.trace, found.allocator, capacity_bytes).out_of_memory is None

    verdict = decide(found.worst_reserved_bytes, found.gpu, found.options.headroom, runs_within)
    if not found.probe.knows_sizes:
        return doubted(verdict, "sizes follow values of a run, for which placeholders stand")
    if verdict.fits is False and _has_upper_bounds(found.trace):
        return doubted(
            verdict, "placeholders take the largest size that values of a run could give, which does not fit"
        )
    return verdict


def _has_upper_bounds(trace: Trace) -> bool:
    """Say whether a result is as large as its mask or input; numbers that are read have been followed before."""
    return any(note.kind is NoteKind.PLACEHOLDER and not note.text.startswith(SCALAR) for note in trace.notes)


def _modules(found: Findings) -> tuple[schema.ModuleShare, ...]:
    counts = found.probe.parameters
    return tuple(
        schema.ModuleShare(holder.module, holder.size_bytes, counts.get(holder.module, 0))
        for holder in found.usage.holders[:MOST_MODULES]
    )


def _flops(found: Findings) -> int | None:
    """Return the floating-point operations of one step's forward and backward passes; the optimizer's do not count."""
    each = found.probe.flops_per_sample
    return None if each is None else round(each * found.decided.batch * found.decided.accumulate)


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
