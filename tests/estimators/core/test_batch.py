"""Families of traces: any batch from three, and the largest that fits."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

import torch
from torch import nn
from torch.nn import functional

from dnnlint.estimators.allocator import Trace, replay
from dnnlint.estimators.batch import NotAffineError, fit_batch_family, largest_batch
from dnnlint.estimators.simulation import Precision, StepSettings, TrainingProgram, trace_program

MIB = 1 << 20


class _Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.convolution, self.norm = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)
        self.body, self.head = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True), nn.Linear(64, 5)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        features = functional.relu(self.norm(self.convolution(images))).flatten(2)[..., :64]
        scores: torch.Tensor = self.head(self.body(features).mean(1))
        return scores


PROGRAM = TrainingProgram(
    _Net,
    lambda batch: (torch.zeros(batch, 3, 12, 12), torch.zeros(batch, dtype=torch.long)),
    lambda model, inputs: functional.cross_entropy(model(inputs[0]), inputs[1]),  # type: ignore[index]
    lambda model: torch.optim.AdamW(model.parameters()),
)


@pytest.mark.parametrize("precision", [Precision.FP32, Precision.AMP_BF16, Precision.AMP_FP16])
def test_members_are_their_own_traces(precision: Precision) -> None:
    """Every tensor of the family's trace has the bytes of the tensor in a trace at that batch."""

    def at(batch: int) -> Trace:
        return trace_program(PROGRAM, batch, settings=StepSettings(precision=precision))

    family = fit_batch_family(at)
    for batch in (2, 4, 17):
        made, traced = family.at(batch), at(batch)
        tensors = [size for size, transient in zip(made.sizes, made.transient, strict=True) if not transient]
        assert tensors == [
            size for size, transient in zip(traced.sizes, traced.transient, strict=True) if not transient
        ]


def test_largest_batch_fits_and_the_next_does_not() -> None:
    """The answer is the last batch whose own trace stays within the budget."""

    def at(batch: int) -> Trace:
        return trace_program(PROGRAM, batch)

    def reserved(batch: int) -> int:
        return max(step.peaks.reserved_bytes for step in replay(at(batch), capacity_bytes=200 * MIB).steps)

    found = largest_batch(fit_batch_family(at), 200 * MIB, headroom=0.2)
    assert found > 1
    assert reserved(found) <= 160 * MIB < reserved(found + 1)


def test_no_batch_fits_a_device_smaller_than_the_model() -> None:
    """A budget below a batch of one gives 0."""
    family = fit_batch_family(lambda batch: trace_program(PROGRAM, batch))
    assert largest_batch(family, MIB, first_batch_usage=replay(family.trace_at(1), capacity_bytes=MIB)) == 0


def test_sizes_that_grow_unevenly_are_refused() -> None:
    """A tensor of the batch's square belongs to no family."""
    squares = TrainingProgram(
        lambda: nn.Linear(4, 4),
        lambda batch: torch.zeros(batch, 4),
        lambda model, inputs: (model(inputs) @ inputs.t()).sum(),  # type: ignore[attr-defined]
        lambda model: torch.optim.SGD(model.parameters(), lr=0.1),
    )
    with pytest.raises(NotAffineError):
        fit_batch_family(lambda batch: trace_program(squares, batch))
