"""Traces of one program at different batch sizes, as one family.

From a batch of two on a program runs the same operators, and every tensor it makes grows by the same number of bytes
with each sample. Two traces therefore give the tensors at every batch; a third one verifies it. What kernels take
while they run does not grow so evenly (a reduction changes its split, a sort its number of passes): it is scaled
from the largest of the traces, and ``largest_batch`` verifies its answer with a trace of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dnnlint.estimators.allocator import Trace

REFERENCE_BATCHES = (2, 3)
VERIFIED_AT = 5

TraceAt = Callable[[int], Trace]


class NotAffineError(ValueError):
    """The traces differ in more than sizes, or sizes do not grow evenly; every batch needs its own trace."""


@dataclass(frozen=True, slots=True)
class BatchFamily:
    """A program at every batch size from two on; sizes in bytes."""

    trace_at: TraceAt
    template: Trace
    """The trace at ``template_batch``, whose events every member has."""
    template_batch: int
    slopes: Sequence[int]
    """Growth of every storage with one more sample; 0 for memory of kernels."""

    def at(self, batch: int) -> Trace:
        """Return the trace at ``batch``.

        Raises:
            ValueError: for a batch below two, which may run other kernels.

        """
        if batch < REFERENCE_BATCHES[0]:
            raise ValueError("a family starts at a batch of two; a batch of one has a trace of its own")
        template, more = self.template, batch - self.template_batch
        sizes = [
            size * batch // self.template_batch if transient else size + more * slope
            for size, slope, transient in zip(template.sizes, self.slopes, template.transient, strict=True)
        ]
        return replace(template, sizes=tuple(sizes))

    def around(self, batch: int) -> BatchFamily:
        """Return the family with what kernels take scaled from ``batch`` instead; itself where that is not possible."""
        if batch < REFERENCE_BATCHES[0]:
            return self
        template = self.trace_at(batch)
        if _events(template) != _events(self.template):
            return self
        slopes = [0] * len(template.sizes)
        for new, old in zip(_tensors(template), _tensors(self.template), strict=True):
            slopes[new] = self.slopes[old]
        return BatchFamily(self.trace_at, template, batch, tuple(slopes))


def fit_batch_family(trace_at: TraceAt) -> BatchFamily:
    """Trace batches of two, three and five, and return the family they belong to.

    Raises:
        NotAffineError: when they belong to none.

    """
    first, second = REFERENCE_BATCHES
    smaller, larger, third = trace_at(first), trace_at(second), trace_at(VERIFIED_AT)
    small, large, verified = _tensors(smaller), _tensors(larger), _tensors(third)
    if not len(small) == len(large) == len(verified):
        raise NotAffineError("the number of tensors depends on the batch")
    if not _events(smaller) == _events(larger) == _events(third):
        raise NotAffineError("the order of operators depends on the batch")
    slopes = [0] * len(third.sizes)
    for low, high, check in zip(small, large, verified, strict=True):
        slope = (larger.sizes[high] - smaller.sizes[low]) // (second - first)
        if third.sizes[check] != larger.sizes[high] + (VERIFIED_AT - second) * slope:
            raise NotAffineError(f"a tensor of {third.operators[check]} does not grow evenly with the batch")
        slopes[check] = slope
    return BatchFamily(trace_at, third, VERIFIED_AT, tuple(slopes))


def _tensors(trace: Trace) -> list[int]:
    """Return the storages that are no scratch memory of kernels, in order of birth."""
    return [number for number, transient in enumerate(trace.transient) if not transient]


def _events(trace: Trace) -> list[int]:
    """Return births and deaths of tensors, numbered without scratch memory; the position of marks included."""
    rank = {number: position for position, number in enumerate(_tensors(trace))}
    boundaries = {mark.event for mark in trace.marks}
    events: list[int] = []
    for index, event in enumerate(trace.events):
        if index in boundaries:
            events.append(0)
        position = rank.get(abs(event) - 1)
        if position is not None:
            events.append(position + 1 if event > 0 else -position - 1)
    return events
