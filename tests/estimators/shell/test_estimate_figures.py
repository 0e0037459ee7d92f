"""Figures of whole estimates: operations, holders, windows of micro-batches, the largest batch, upper bounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dnnlint.estimators import Estimate

Run = Callable[..., Estimate]
Write = Callable[..., Path]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

HEAD = "import torch\nfrom torch import nn\n"
MLP = HEAD + "model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 10))\n"


def test_recurrent_layers_are_counted(estimate_here: Run, write: Write) -> None:
    """Two directions of 4 gates: each token multiplies both weight matrices, and twice as often in backward."""
    result = estimate_here(write(f"{HEAD}model = nn.LSTM(8, 16, batch_first=True, bidirectional=True)\n"), batch=2)
    assert result.flops_per_step == 3 * 2 * (2 * 128) * 2 * (4 * 16) * (8 + 16)


def test_what_the_model_does_itself_has_its_name(estimate_here: Run, write: Write) -> None:
    """Functions called in the model's own forward belong to its class, not to the code outside."""
    source = f"""{HEAD}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(64, 4096), nn.Linear(4096, 2)
    def forward(self, x): return self.b(torch.exp(self.a(x)))
model = Net()
"""
    shares = {share.module: share for share in estimate_here(write(source), batch=4096).modules}
    assert shares["Net"].bytes >= 4 * 4096 * 4096
    assert shares["Net"].parameters == 65 * 4096 + 4097 * 2


def test_long_windows_are_traced_in_part(estimate_here: Run, write: Write) -> None:
    """Micro-batches repeat each other: a window of 1,000 peaks where one of 4 does, and its FLOPs are counted."""
    path = write(MLP)
    short, long = estimate_here(path, batch=64, accumulate=4), estimate_here(path, batch=64, accumulate=1000)
    assert long.peak == short.peak
    assert long.flops_per_step == 250 * (short.flops_per_step or 0)
    assert any("4 of 1000 micro-batches" in line for line in long.warnings)


def test_batch_that_one_sample_cannot_make(estimate_here: Run, write: Write) -> None:
    """Batch normalisation over features refuses one sample; the largest batch is found all the same."""
    source = f"{HEAD}model = nn.Sequential(nn.Linear(64, 4096), nn.BatchNorm1d(4096), nn.Linear(4096, 2))\n"
    result = estimate_here(write(source), batch=4, gpu="t4", gpu_memory_bytes=1 << 30)
    assert result.max_batch is not None
    assert result.max_batch > 1000
    assert any("a batch of one is refused" in line for line in result.warnings)


SELECTION = "    def forward(self, x):\n        y = self.a(x)\n        return y[y > 0].sum()\n"


@pytest.mark.parametrize(("memory_mib", "verdict"), [(1 << 14, "fits"), (200, "cannot tell")])
def test_selection_by_a_mask_decides_only_what_fits(
    estimate_here: Run, write: Write, memory_mib: int, verdict: str
) -> None:
    """With every element selected it fits, so it does with fewer; what does not fit might."""
    source = (
        f"{HEAD}class Net(nn.Module):\n    def __init__(self):\n"
        f"        super().__init__()\n        self.a = nn.Linear(64, 64)\n{SELECTION}model = Net()\n"
    )
    result = estimate_here(write(source), batch=1 << 20, gpu="t4", gpu_memory_bytes=memory_mib << 20)
    assert result.verdict.status.value == verdict
    assert any("every element is taken as selected" in line for line in result.placeholders)
