"""The estimate of a script against the smallest GPU; the estimator itself has its own tests."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from dnnlint import estimators
from dnnlint.doctor.checks.fit import check_fit
from dnnlint.doctor.machine import Gpu, GpuAnswer
from dnnlint.doctor.model import Status
from dnnlint.estimators import EstimateError, EstimateOptions
from dnnlint.estimators.report.schema import VerdictStatus
from tests.doctor.fakes import GIB, H100, T4, answer_of, machine


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[EstimateOptions]:
    """An estimator that needs 10 GiB of whatever it is asked for."""
    calls: list[EstimateOptions] = []

    def estimate(target: str, options: EstimateOptions) -> object:
        calls.append(options)
        status = VerdictStatus.NOT_ASKED
        if options.gpu_memory_bytes is not None:
            status = VerdictStatus.FITS if options.gpu_memory_bytes > 12 * GIB else VerdictStatus.DOES_NOT_FIT
        peak = SimpleNamespace(device_bytes=10 * GIB)
        return SimpleNamespace(peak=peak, verdict=SimpleNamespace(status=status), max_batch=24)

    monkeypatch.setattr(estimators, "estimate", estimate)
    return calls


def test_smallest_gpu(asked: list[EstimateOptions]) -> None:
    """With its name in the catalogue, and the memory that PyTorch sees of it."""
    row = check_fit("train.py", machine(answer_of(H100, replace(T4, index=1))), 60)
    assert (asked[0].gpu, asked[0].gpu_memory_bytes) == ("Tesla T4", 14909 * 2**20)
    assert (row.status, row.advice) == (Status.OK, "The largest batch that fits is 24.")


def test_does_not_fit(asked: list[EstimateOptions]) -> None:
    """A GPU that the catalogue does not hold counts with what its driver says."""
    row = check_fit("train.py", machine(answer_of(Gpu(0, "Unknown X1", 8 * GIB, (9, 0)))), 60)
    assert asked[0].gpu is None
    assert (row.status, row.found) == (Status.WRONG, "10.0 GiB predicted of 8.0 GiB: does not fit")


def test_no_gpu(asked: list[EstimateOptions]) -> None:
    """The figure alone."""
    row = check_fit("train.py", machine(GpuAnswer()), 60)
    assert (row.status, row.is_failure) == (Status.CANNOT_TELL, False)


def test_no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown is not green."""

    def estimate(target: str, options: EstimateOptions) -> object:
        raise EstimateError("no model found", "Name it.")

    monkeypatch.setattr(estimators, "estimate", estimate)
    row = check_fit("train.py", machine(), 60)
    assert (row.status, row.found, row.is_failure) == (Status.CANNOT_TELL, "no model found", True)
