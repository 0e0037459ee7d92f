"""Run a trace through the caching allocator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dnnlint.estimators.allocator.blocks import Block
from dnnlint.estimators.allocator.caching import CachingAllocator
from dnnlint.estimators.allocator.config import AllocatorConfig
from dnnlint.estimators.allocator.trace import Mark, Phase, Trace
from dnnlint.estimators.allocator.usage import Composition, Holder, OutOfMemory, Peaks, StepUsage, TimelinePoint, Usage

TIMELINE_POINTS = 200


@dataclass(slots=True)
class _Span:
    """The events between two marks, and the peaks met there."""

    mark: Mark
    end: int
    peaks: Peaks = field(default_factory=lambda: Peaks(0, 0))
    level: Peaks = field(default_factory=lambda: Peaks(0, 0))


def replay(trace: Trace, config: AllocatorConfig | None = None, capacity_bytes: int | None = None) -> Usage:
    """Return the memory use of ``trace``; with a capacity, up to the first request that does not fit."""
    spans = list(_spans(trace))
    run = _Run(trace, CachingAllocator(config, capacity_bytes))
    done = 0
    for span in spans:
        run.through(span)
        done += 1
        if run.out_of_memory is not None:
            break
    steps = _steps(spans[:done])
    last = max((span.mark.step for span in spans[:done]), default=-1)
    peak = _PeakSearch(trace, config, capacity_bytes).of([span for span in spans[:done] if span.mark.step == last])
    return replace(peak, steps=steps, retries=run.allocator.retries, out_of_memory=run.out_of_memory)


def _spans(trace: Trace) -> Iterator[_Span]:
    ends = [mark.event for mark in trace.marks[1:]] + [len(trace.events)]
    for mark, end in zip(trace.marks, ends, strict=True):
        yield _Span(mark, end)


class _Run:
    """One pass over the events."""

    def __init__(self, trace: Trace, allocator: CachingAllocator) -> None:
        self.trace = trace
        self.allocator = allocator
        self.blocks: dict[int, Block] = {}
        self.out_of_memory: OutOfMemory | None = None

    def through(self, span: _Span) -> None:
        """Play the events of a span and store its peaks."""
        allocator = self.allocator
        allocator.reset_peaks()
        for index in range(span.mark.event, span.end):
            if not self.play(self.trace.events[index]):
                self.out_of_memory = self._failure(span.mark, self.trace.events[index] - 1)
                break
        span.peaks = Peaks(allocator.peak_allocated_bytes, allocator.peak_reserved_bytes)
        span.level = Peaks(allocator.allocated_bytes, allocator.reserved_bytes)

    def play(self, event: int) -> bool:
        """Play one birth or death; false when a birth does not fit."""
        if event < 0:
            block = self.blocks.pop(-event - 1, None)
            if block is not None:
                self.allocator.release(block)
            return True
        size = self.trace.sizes[event - 1]
        if size == 0:
            return True
        block = self.allocator.allocate(size)
        if block is None:
            return False
        self.blocks[event - 1] = block
        return True

    def _failure(self, mark: Mark, storage: int) -> OutOfMemory:
        return OutOfMemory(
            mark.step,
            mark.phase,
            self.trace.sizes[storage],
            self.trace.operators[storage],
            self.trace.modules[storage],
            self.allocator.allocated_bytes,
            self.allocator.reserved_bytes,
        )


def _steps(spans: list[_Span]) -> tuple[StepUsage, ...]:
    steps: list[StepUsage] = []
    for number in range(1 + max((span.mark.step for span in spans), default=-1)):
        members = [span for span in spans if span.mark.step == number]
        phases: dict[Phase, Peaks] = {}
        for span in members:
            phases[span.mark.phase] = _higher(phases.get(span.mark.phase, Peaks(0, 0)), span.peaks)
        whole = Peaks(0, 0)
        for peaks in phases.values():
            whole = _higher(whole, peaks)
        steps.append(StepUsage(whole, phases, members[-1].level if members else Peaks(0, 0)))
    return tuple(steps)


def _higher(one: Peaks, other: Peaks) -> Peaks:
    return Peaks(
        max(one.allocated_bytes, other.allocated_bytes),
        max(one.reserved_bytes, other.reserved_bytes),
    )


class _PeakSearch:
    """A second pass up to the peak of the last step, to see what is alive there."""

    def __init__(self, trace: Trace, config: AllocatorConfig | None, capacity_bytes: int | None) -> None:
        self.trace = trace
        self.run = _Run(trace, CachingAllocator(config, capacity_bytes))
        self.timeline: list[TimelinePoint] = []

    def of(self, spans: list[_Span]) -> Usage:
        """Return a usage without steps for the highest of ``spans``."""
        if not spans:
            return Usage((), Composition(), (), Phase.BUILD, "", "", (), 0, None)
        target = max(span.peaks.allocated_bytes for span in spans)
        for event in self.trace.events[: spans[0].mark.event]:
            self.run.play(event)
        stride = max(1, (spans[-1].end - spans[0].mark.event) // TIMELINE_POINTS)
        found: Usage | None = None
        for span in spans:
            if found is None and self.run.allocator.allocated_bytes == target:
                found = self._describe(span.mark.phase, self.trace.events[max(0, span.mark.event - 1)])
            for index in range(span.mark.event, span.end):
                event = self.trace.events[index]
                if not self.run.play(event):
                    break
                if found is None and self.run.allocator.allocated_bytes == target:
                    found = self._describe(span.mark.phase, event)
                if (index - spans[0].mark.event) % stride == 0:
                    self._point(span.mark)
        assert found is not None, "the second pass repeats the first"
        return replace(found, timeline=tuple(self.timeline))

    def _point(self, mark: Mark) -> None:
        allocator = self.run.allocator
        self.timeline.append(TimelinePoint(allocator.allocated_bytes, allocator.reserved_bytes, mark.phase, mark.step))

    def _describe(self, phase: Phase, event: int) -> Usage:
        trace, storage = self.trace, abs(event) - 1
        parts: Counter[str] = Counter()
        modules: Counter[str] = Counter()
        for number, block in self.run.blocks.items():
            parts[trace.categories[number].value] += trace.sizes[number]
            parts["rounding"] += block.size - trace.sizes[number]
            modules[trace.modules[number]] += block.size
        holders = tuple(Holder(module, size) for module, size in modules.most_common())
        return Usage(
            (),
            Composition(**parts),
            holders,
            phase,
            trace.operators[storage],
            trace.modules[storage],
            (),
            0,
            None,
        )
