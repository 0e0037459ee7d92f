"""Which PyTorch requirement files ask for."""

from __future__ import annotations

import pytest

from dnnlint.project.requirements import torch_requirements

STATED = {
    "torch==2.2.2": (2, 2),
    "torch == 2.2.*": (2, 2),
    "torch>=1.8, <2.1  # not later": (2, 0),
    "torch<2.6.0": (2, 5),
    "torch<2.6.1": (2, 6),
    "torch~=2.2.0": (2, 2),
    "torch<=2.4": (2, 4),
    "torch==2.6.0+cu118": (2, 6),
    "dependencies:\n  - pytorch=1.13.1\n": (1, 13),
    'dependencies = ["numpy", "torch==2.1.0", "torchvision==0.16"]': (2, 1),
    "torch>=1.10": None,
    "numpy\ntorch\n": None,
    'dependencies = ["torch", "numpy"]': None,
    "torch~=2.2": None,
    "torch==2.*": None,
    "torch!=2.0.0": None,
}


@pytest.mark.parametrize(("text", "newest"), STATED.items(), ids=STATED)
def test_newest_release_that_is_allowed(text: str, newest: tuple[int, int] | None) -> None:
    """Upper limits count down to the minor release; lower limits are none."""
    assert [requirement.newest for requirement in torch_requirements(text)] == [newest]


@pytest.mark.parametrize(
    "text",
    ["# torch==1.13", "pytorch-lightning==1.5", "torchvision==0.17", "my-torch==1", "  - pytorch", 'torch = "^2.1"'],
)
def test_no_statement(text: str) -> None:
    """Comments, other packages and other ways to write a version say nothing."""
    assert torch_requirements(text) == []
