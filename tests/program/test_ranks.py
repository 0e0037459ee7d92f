"""Which code runs on one rank only: the forms that a guard takes."""

from __future__ import annotations

import libcst as cst
import pytest

from dnnlint.program import build_program
from dnnlint.program.ranks import runs_on_one_rank
from dnnlint.program.tree import Kind

HEAD = """
import os
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
"""


def is_guarded(body: str) -> bool:
    """Whether the one save of a program runs on one rank only."""
    program = build_program(cst.parse_module(HEAD + body))
    (save,) = program.events(Kind.SAVE)
    return runs_on_one_rank(program, save)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("if dist.get_rank() == 0:\n    torch.save(x, f)\n", id="get-rank"),
        pytest.param("if args.local_rank in [-1, 0]:\n    torch.save(x, f)\n", id="list-of-ranks"),
        pytest.param("if not args.distributed or args.rank == 0:\n    torch.save(x, f)\n", id="not-distributed-or"),
        pytest.param("if int(os.environ['RANK']) == 0:\n    torch.save(x, f)\n", id="environment"),
        pytest.param("first = int(os.environ['RANK']) == 0\nif first:\n    torch.save(x, f)\n", id="variable"),
        pytest.param("me, size = dist.get_rank(), 2\nif me == 0:\n    torch.save(x, f)\n", id="unpacked"),
        pytest.param(
            "def first():\n    return dist.get_rank() == 0\n\nif first():\n    torch.save(x, f)\n", id="predicate"
        ),
        pytest.param("if accelerator.is_main_process:\n    torch.save(x, f)\n", id="property"),
        pytest.param(
            "def save(x):\n    if dist.get_rank() != 0:\n        return\n    torch.save(x, f)\n\nsave(x)\n",
            id="early-return",
        ),
        pytest.param(
            "for x in xs:\n    if dist.get_rank() > 0:\n        continue\n    torch.save(x, f)\n", id="early-continue"
        ),
        pytest.param(
            "def save(x):\n    torch.save(x, f)\n\nif dist.get_rank() == 0:\n    save(x)\n", id="guard-of-the-caller"
        ),
        pytest.param(
            "def save(x, writes):\n    if writes:\n        torch.save(x, f)\n\nsave(x, dist.get_rank() == 0)\n",
            id="passed-to-a-parameter",
        ),
        pytest.param("@rank_zero_only\ndef save(x):\n    torch.save(x, f)\n\nsave(x)\n", id="decorator"),
        pytest.param("def save_on_master(x):\n    torch.save(x, f)\n\nsave_on_master(x)\n", id="name-of-the-helper"),
    ],
)
def test_guard_is_recognised(body: str) -> None:
    """A test of the rank in its usual forms keeps the other ranks away."""
    assert is_guarded(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("torch.save(x, f)\n", id="nothing"),
        pytest.param("if epoch % 5 == 0:\n    torch.save(x, f)\n", id="epoch"),
        pytest.param("if args.save:\n    torch.save(x, f)\n", id="option"),
        pytest.param("if dist.get_rank() == 0:\n    print(x)\ntorch.save(x, f)\n", id="guard-of-a-print"),
        pytest.param(
            "net = DDP(torch.nn.Linear(2, 2))\nloss = net(x).mean()\nif loss < best:\n    torch.save(x, f)\n",
            id="loss-of-a-wrapped-model",
        ),
    ],
)
def test_other_conditions_are_no_guard(body: str) -> None:
    """What every rank passes is no guard, also where a wrapped model computed it."""
    assert not is_guarded(body)
