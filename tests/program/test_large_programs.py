"""Programs beyond the limit of the expansion."""

from __future__ import annotations

import libcst as cst
import pytest

from dnnlint.program import build_program, expand

LOOP = """
import torch

def {name}(model: torch.nn.Module, loader, optimizer: torch.optim.Optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
{filling}
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
"""


def test_loop_that_is_cut_off_is_no_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would seem to lack the clip behind the cut; a loop before it stays."""
    monkeypatch.setattr(expand, "_MAX_NODES", 40)
    small = LOOP.format(name="small", filling="")
    large = LOOP.format(name="large", filling="        torch.cuda.empty_cache()\n" * 50)
    program = build_program(cst.parse_module(small + large))
    assert len(program.training_loops) == 1
    assert [len(loop.steps) for loop in program.training_loops] == [1]
    monkeypatch.setattr(expand, "_MAX_NODES", 20_000)
    assert len(build_program(cst.parse_module(small + large)).training_loops) == 2
