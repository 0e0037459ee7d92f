"""What a batch is: inputs alone, or with the target, described by hooks, by options or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dnnlint.estimators import Estimate, EstimateError
from dnnlint.estimators.options import InputSpec

Run = Callable[..., Estimate]
Write = Callable[..., Path]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

HEAD = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
NET = f"{HEAD}def build_model(): return nn.Linear(6, 4)\n"
PAIR = "def example_inputs(batch_size): return torch.rand(batch_size, 6), torch.zeros(batch_size, dtype=torch.long)\n"
TABLE = (
    "def example_inputs(batch_size):\n"
    "    return {'input': torch.rand(batch_size, 6), 'labels': torch.zeros(batch_size, dtype=torch.long)}\n"
)
NAMES = TABLE.replace("'input'", "'image'")
PAIR_LOSS = "def training_loss(model, inputs):\n    x, y = inputs\n    return F.cross_entropy(model(x), y)\n"
TABLE_LOSS = "def training_loss(model, inputs):\n    return F.cross_entropy(model(inputs['input']), inputs['labels'])\n"
LONE_LOSS = "def training_loss(model, inputs):\n    return model(inputs).square().mean()\n"

EXAMPLES = Path(__file__).parents[3] / "examples"
FLOATS, LABELS, BATCH = 4 * 6, 8, 16


@pytest.mark.parametrize(
    ("hooks", "loss", "bytes_per_sample"),
    [
        pytest.param(PAIR + PAIR_LOSS, "training_loss()", FLOATS + LABELS, id="both-hooks-tuple"),
        pytest.param(TABLE + TABLE_LOSS, "training_loss()", FLOATS + LABELS, id="both-hooks-dictionary"),
        pytest.param(PAIR, "cross_entropy with the target of the batch", FLOATS + LABELS, id="example-tuple"),
        pytest.param(TABLE, "cross_entropy with the target of the batch", FLOATS + LABELS, id="example-dictionary"),
        pytest.param(NAMES, "cross_entropy with the target of the batch", FLOATS + LABELS, id="names-of-its-own"),
        pytest.param(
            "def example_inputs(batch_size): return torch.rand(batch_size, 6), torch.rand(batch_size, 4)\n",
            "mse_loss with the target of the batch",
            FLOATS + 16,
            id="example-with-values",
        ),
        pytest.param(
            "def example_inputs(batch_size): return torch.rand(batch_size, 6)\n",
            "cross_entropy with class indices",
            FLOATS + LABELS,
            id="example-without-target",
        ),
        pytest.param(PAIR_LOSS, "training_loss()", FLOATS + LABELS, id="loss-of-a-pair"),
        pytest.param(LONE_LOSS, "training_loss()", FLOATS, id="loss-of-one-tensor"),
    ],
)
def test_batch_of_a_file(estimate_here: Run, write: Write, hooks: str, loss: str, bytes_per_sample: int) -> None:
    """The loss takes what example_inputs() gives; without a loss the model takes what it has parameters for."""
    result = estimate_here(write(NET + hooks), batch=BATCH)
    assert result.config["loss"].value == loss
    assert result.at_peak.inputs == BATCH * bytes_per_sample
    # Forward, and in backward the weight's gradient: the input needs none.
    assert result.flops_per_step == 2 * BATCH * 2 * 6 * 4


@pytest.mark.parametrize(
    ("example", "parameters", "precision"),
    [("image_classification", 94_762, "amp-fp16"), ("language_model", 108_288, "amp-bf16")],
)
def test_bundled_example(estimate_here: Run, example: str, parameters: int, precision: str) -> None:
    """The scripts say by themselves how they train: micro-batches, autocast, clipping, hooks."""
    result = estimate_here(EXAMPLES / example / "train.py", batch=64, gpu="t4")
    assert result.parameters == parameters
    assert result.config["precision"].value == precision
    assert result.config["accumulate"].value == 4
    assert result.verdict.fits
    assert not result.assumptions


@pytest.mark.parametrize("mode", ["train", "inference"])
def test_bundled_form_of_a_training_script(estimate_here: Run, write: Write, mode: str) -> None:
    """All four hooks, the inputs with their targets: both modes find what the model takes."""
    optimizer = "def build_optimizer(model): return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)\n"
    result = estimate_here(write(NET + PAIR + PAIR_LOSS + optimizer), batch=BATCH, mode=mode)
    assert result.config["inputs"].source == "train.py"
    assert result.at_peak.optimizer_state == (4 * 28 if mode == "train" else 0)


@pytest.mark.parametrize("hooks", [pytest.param("", id="no-hook"), pytest.param(PAIR_LOSS, id="with-loss")])
def test_input_option_can_hold_the_target(estimate_here: Run, write: Write, hooks: str) -> None:
    """Inputs that the model does not take are the target, like those of a file."""
    specs = (InputSpec((6,)), InputSpec((), "int64"))
    result = estimate_here(write(NET + PAIR + hooks), batch=BATCH, inputs=specs)
    assert result.config["inputs"].source == "--input"
    assert result.at_peak.inputs == BATCH * (FLOATS + LABELS)


def test_batch_keeps_its_type(estimate_here: Run, write: Write) -> None:
    """A named tuple stays one, on the way to the device."""
    source = f"""{NET}
from typing import NamedTuple
class Sample(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor
def example_inputs(batch_size): return Sample(torch.rand(batch_size, 6), torch.zeros(batch_size, dtype=torch.long))
def training_loss(model, inputs): return F.cross_entropy(model(inputs.x), inputs.y)
"""
    assert estimate_here(write(source), batch=2).config["loss"].value == "training_loss()"


@pytest.mark.parametrize(
    ("hooks", "message"),
    [
        pytest.param(PAIR + TABLE_LOSS, r"running training_loss\(\) raised TypeError", id="hooks-that-disagree"),
        pytest.param(
            "def training_loss(model, inputs): return F.cross_entropy(model(inputs['a']), inputs['b'])\n",
            r"No guess at its inputs suits training_loss\(\)",
            id="loss-of-names-nobody-knows",
        ),
        pytest.param(
            PAIR + "def training_loss(model, inputs): return inputs[0].mean()\n", "needs no gradient", id="no-gradient"
        ),
        pytest.param(
            PAIR + "def training_loss(model, inputs): return model(inputs[0])\n",
            r"a tensor of shape \(2, 4\)",
            id="no-scalar",
        ),
        pytest.param(
            "def example_inputs(batch_size): return torch.rand(batch_size, 9)\n",
            r"does not run on example_inputs\(\)",
            id="wrong-shape",
        ),
        pytest.param(
            "def example_inputs(): return torch.rand(2, 6)\n",
            r"running example_inputs\(\) raised TypeError",
            id="example-without-batch-size",
        ),
    ],
)
def test_hooks_that_cannot_be_used(estimate_here: Run, write: Write, hooks: str, message: str) -> None:
    """One message that names the hook, and what to do next."""
    with pytest.raises(EstimateError, match=message) as caught:
        estimate_here(write(NET + hooks), batch=2)
    assert caught.value.help


def test_model_that_fails_is_not_blamed_on_the_target(estimate_here: Run, write: Write) -> None:
    """Images of the wrong size are reported as such, not as too many arguments."""
    hooks = PAIR.replace("rand(batch_size, 6)", "rand(batch_size, 9)")
    with pytest.raises(EstimateError, match=r"item 2 is the target: RuntimeError .*9"):
        estimate_here(write(NET + hooks), batch=2)


def test_optimizer_state_belongs_to_the_module(estimate_here: Run, write: Write) -> None:
    """The largest layer holds its weight, its gradient and Adam's two moments; none of them is outside modules."""
    source = f"{HEAD}model = nn.Sequential(nn.Linear(512, 1024), nn.Linear(1024, 2))\n"
    result = estimate_here(write(source), batch=2)
    held = {share.module: share.bytes for share in result.modules}
    assert held["0"] >= 4 * 4 * (512 * 1024 + 1024)
    # What no module owns: the libraries' workspaces, the batch, and what the optimizer's step computes with.
    parts = result.at_peak
    assert parts.workspaces <= held[""] <= parts.workspaces + parts.inputs + parts.temporaries + parts.rounding
