"""Forward operators against the real CUDA dispatcher, which a CUDA build runs under fake tensors without a GPU."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("torch", reason="the simulation needs PyTorch")

import torch

if torch.version.cuda is None:
    pytest.skip("only a CUDA build has the CUDA dispatcher", allow_module_level=True)

from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

from benchmarks.operator_cases import operator_cases
from dnnlint.estimators.simulation import simulate

VIEWS_AND_FACTORIES = ("empty", "view", "_unsafe_view", "t", "transpose", "detach", "expand", "slice", "select")
NOT_COMPARABLE = ("attention", "autocast", "batch norm", "rms norm")
"""Kernels chosen by device properties, autocast (off without a GPU), and names that differ for the same memory."""

CASES = {
    name: program
    for name, program in operator_cases().items()
    if "," in name and not any(part in name for part in NOT_COMPARABLE)
}


class _Names(TorchDispatchMode):
    """Notes the names of operators."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.names: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        name = func._schema.name.removeprefix("aten::")
        if name not in VIEWS_AND_FACTORIES and "device" not in name:
            self.names.append(name)
        return func(*args, **(kwargs or {}))


def _names(program: Callable[[], object]) -> list[str]:
    noted = _Names()
    with noted:
        program()
    return noted.names


@pytest.mark.parametrize("name", sorted(CASES))
def test_forward_operators_are_those_of_the_dispatcher(name: str) -> None:
    """Both ways the program reaches the same operators in the same order."""
    try:
        with FakeTensorMode():
            expected = _names(CASES[name])
    except RuntimeError as error:
        pytest.skip(f"fake tensors need a device here: {str(error).splitlines()[0]}")
    with simulate():
        found = _names(CASES[name])
    assert found == expected
