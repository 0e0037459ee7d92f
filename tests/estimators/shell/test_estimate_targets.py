"""From a file to an estimate: entries, hooks, inferred inputs, losses, and the code around the model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dnnlint.estimators import Estimate, EstimateError
from dnnlint.estimators.options import InputSpec, OptimizerSpec

Run = Callable[..., Estimate]
Write = Callable[..., Path]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

HEAD = "import torch\nfrom torch import nn\n"
MLP = HEAD + "model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 10))\n"
BACKWARDS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.head, self.down = nn.ConvTranspose2d(8, 4, 2, 2), nn.Conv2d(4, 1, 1), nn.Conv2d(2, 8, 2, 2)
    def forward(self, x): return self.head(self.up(self.down(x)))
model = Net()
"""
KERNEL = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = nn.Parameter(torch.empty(4, 3, 3, 3))
    def forward(self, x): return nn.functional.conv2d(x, self.kernel)
model = Net()
"""
MLP_PARAMETERS = 16 * 32 + 32 + 32 * 10 + 10


def test_mlp_by_closed_form(estimate_here: Run, write: Write) -> None:
    """Parameters, gradients and Adam's two moments of a multilayer perceptron, to the byte; parts sum to the peak."""
    result = estimate_here(write(MLP), batch=4)
    assert result.parameters == result.trainable_parameters == MLP_PARAMETERS
    assert result.at_peak.parameters == 4 * MLP_PARAMETERS
    assert result.at_peak.gradients == 4 * MLP_PARAMETERS
    # AdamW's step counters are one float32 for each of the four tensors, on the device when foreach runs there.
    assert result.at_peak.optimizer_state - 8 * MLP_PARAMETERS in (0, 16)
    assert result.at_peak.total_bytes == result.peak.allocated_bytes
    assert result.flops_per_step is not None
    assert result.flops_per_step == 4 * 2 * (16 * 32 + 32 * 10) * 3 - 4 * 2 * 16 * 32
    assert result.config["loss"].value == "cross_entropy with class indices"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        pytest.param("model = nn.Conv2d(3, 4, 3)", "3x224x224", id="image"),
        pytest.param(
            "model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(4 * 30 * 30, 2))",
            "3x32x32",
            id="image-of-fixed-size",
        ),
        pytest.param("model = nn.Conv1d(2, 4, 3)", "2x16000", id="signal"),
        pytest.param("model = nn.Conv3d(3, 4, 3)", "3x16x112x112", id="video"),
        pytest.param("model = nn.Sequential(nn.Embedding(50, 8), nn.Linear(8, 50))", "int64:512", id="tokens"),
        pytest.param("model = nn.LSTM(8, 16, batch_first=True)", "128x8", id="sequence"),
        pytest.param("model = nn.Sequential(nn.BatchNorm1d(7), nn.Linear(7, 2))", "float32:7", id="features"),
        pytest.param("model = nn.Sequential(nn.LayerNorm(7), nn.Linear(7, 2))", "128x7", id="normalised-tokens"),
        pytest.param("model = nn.ConvTranspose2d(5, 4, 4)", "5x1x1", id="latent"),
        pytest.param(BACKWARDS, "2x224x224", id="layers-in-another-order"),
        pytest.param(KERNEL, "3x224x224", id="bare-kernel"),
    ],
)
def test_inputs_are_inferred(estimate_here: Run, write: Write, source: str, text: str) -> None:
    """From the first layer, tried by a forward pass."""
    result = estimate_here(write(f"{HEAD}{source}\n"), batch=2)
    assert text in str(result.config["inputs"].value)
    assert result.config["inputs"].source == "probe"
    assert any(text in line for line in result.assumptions), "a guess is an assumption"


def test_language_model_with_targets_in_its_forward(estimate_here: Run, write: Write) -> None:
    """``forward(idx, targets=None)`` that returns its loss is called with both, at its own length."""
    source = f"""{HEAD}
class GPT(nn.Module):
    def __init__(self, block_size=64):
        super().__init__()
        self.block_size = block_size
        self.embed, self.head = nn.Embedding(100, 8), nn.Linear(8, 100)
        self.position = nn.Embedding(block_size, 8)
    def forward(self, idx, targets=None):
        x = self.embed(idx) + self.position(torch.arange(idx.shape[1], device=idx.device))
        logits = self.head(x)
        loss = None if targets is None else nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits, loss
"""
    result = estimate_here(write(source), batch=2)
    assert "idx:int64:64, targets:int64:64" in str(result.config["inputs"].value)
    assert result.config["loss"].value == "the loss that the model returns"


def test_hooks_of_the_file_decide(estimate_here: Run, write: Write) -> None:
    """build_model, example_inputs, training_loss and build_optimizer are used, and named as sources."""
    source = f"""{HEAD}
def build_model(width=4): return nn.Linear(width, 2)
def example_inputs(batch_size): return {{"input": torch.empty(batch_size, 6)}}
def training_loss(model, inputs): return model(inputs["input"]).square().sum()
def build_optimizer(model): return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
"""
    result = estimate_here(write(source), batch=2, arguments=(("width", 6),))
    assert result.parameters == 14
    assert result.at_peak.optimizer_state == 56
    assert result.config["optimizer"].value == "build_optimizer()"
    assert result.config["loss"].value == "training_loss()"
    assert "example_inputs()" in str(result.config["inputs"].value)


def test_options_beat_hooks_and_are_named(estimate_here: Run, write: Write) -> None:
    """--optimizer replaces the file's optimizer; --freeze takes parameters out."""
    options = {"optimizer": OptimizerSpec("sgd", (("lr", 0.1),)), "freeze": ("0.*",), "inputs": (InputSpec((16,)),)}
    result = estimate_here(write(MLP), batch=2, **options)
    assert result.at_peak.optimizer_state == 0
    assert result.trainable_parameters == 330
    assert result.config["inputs"].source == "--input"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"inputs": (InputSpec((7,)),)}, "does not run on 7 float32", id="wrong-shape"),
        pytest.param({"freeze": ("nothing.*",)}, "matches no parameter", id="freeze-nothing"),
        pytest.param({"freeze": ("*",)}, "No parameter of the model needs a gradient", id="freeze-all"),
        pytest.param(
            {"optimizer": OptimizerSpec("sgd", (("speed", 1),))}, "SGD refuses its arguments", id="optimizer-argument"
        ),
        pytest.param({"arguments": (("width", 1),)}, "takes the argument width", id="argument-nobody-takes"),
        pytest.param({"checkpointing": True}, "no gradient checkpointing", id="checkpointing"),
        pytest.param({"mode": "generate"}, "input_ids", id="generate"),
    ],
)
def test_options_that_do_not_suit_the_model(
    estimate_here: Run, write: Write, options: dict[str, object], message: str
) -> None:
    """One message, and what to do next."""
    with pytest.raises(EstimateError, match=message) as caught:
        estimate_here(write(MLP), batch=2, **options)
    assert caught.value.help


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("def build_model(): return 3", "gives int, which is no nn.Module", id="no-module"),
        pytest.param("def build_model(): return nn.Linear(3, 'x')", r"raised TypeError.*\(train.py:3\)", id="raises"),
        pytest.param(
            "def build_model():\n    import missing_here\n    return missing_here.net(1)",
            r"uses missing_here\.net",
            id="missing-package",
        ),
        pytest.param(
            "class Net(nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        self.w = nn.ParameterList([torch.ones(3)])\n"
            "    def forward(self, x): return x",
            "tells what its inputs are",
            id="no-inputs",
        ),
        pytest.param(
            "model = nn.Sequential(nn.Conv2d(3, 1, 3), nn.Flatten(), nn.Linear(5, 1))",
            "more shapes failed",
            id="no-shape-fits",
        ),
        pytest.param(
            "model = nn.Linear(3, 2)\ndef training_loss(model, inputs): return 3",
            "no scalar tensor",
            id="bad-loss-hook",
        ),
        pytest.param(
            "model = nn.Linear(3, 2)\ndef build_optimizer(model): return 3",
            "returns no optimizer",
            id="bad-optimizer-hook",
        ),
        pytest.param(
            "class Net(nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        self.a = nn.Linear(3, 3)\n"
            "    def forward(self, x): return x.long()",
            "No loss suits",
            id="no-float-output",
        ),
        pytest.param(
            "class Net(nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        self.a = nn.Linear(3, 3)\n"
            "    def forward(self, x):\n"
            "        y = self.a(x)\n"
            "        return y.sum() + y.new_zeros(int(y.sum().item())).sum()",
            r"sizes follow a number.*train.py:9",
            id="data-dependent-shape",
        ),
    ],
)
def test_files_that_give_no_estimate(estimate_here: Run, write: Write, source: str, message: str) -> None:
    """Each way to fail has one message, and what to do next."""
    with pytest.raises(EstimateError, match=f"(?s){message}") as caught:
        estimate_here(write(f"{HEAD}{source}\n"), batch=2)
    assert caught.value.help


def test_training_script_around_the_model_does_not_matter(estimate_here: Run, write: Write) -> None:
    """Required options, missing data, missing packages, checkpoints and an unguarded loop: one estimate."""
    write("import also_missing_here\ndef width_of(args): return args.width\n", "local_helper.py")
    source = f"""{HEAD}
import argparse, missing_tracker
from local_helper import width_of
parser = argparse.ArgumentParser()
parser.add_argument("data")
parser.add_argument("--output", required=True)
parser.add_argument("--width", type=int, default=8)
args = parser.parse_args()
data = open(args.data)
missing_tracker.init()
model = nn.Linear(width_of(args), 3).cuda()
model.load_state_dict(torch.load("weights.pt")["model"])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
while True:
    for x in data:
        model(x).sum().backward()
        optimizer.step()
"""
    result = estimate_here(write(source), batch=2)
    assert result.parameters == 27
    assert result.at_peak.optimizer_state == 108
    notices = " ".join(result.warnings)
    for part in (
        "command-line options",
        "weights or checkpoints",
        "load_state_dict",
        "'also_missing_here' is not installed",
    ):
        assert part in notices
    assert estimate_here(write(source), batch=2, arguments=(("width", 4),)).parameters == 15


def test_option_without_default_is_named(estimate_here: Run, write: Write) -> None:
    """A model that needs a required option says which --arg to give."""
    source = (
        f"{HEAD}import argparse\n"
        "p = argparse.ArgumentParser()\n"
        "p.add_argument('--width', type=int, required=True)\n"
        "model = nn.Linear(p.parse_args().width, 2)\n"
    )
    with pytest.raises(EstimateError, match="no default: width") as caught:
        estimate_here(write(source), batch=2)
    assert "--arg width=VALUE" in caught.value.help


def test_missing_package_that_the_model_uses_is_named(estimate_here: Run, write: Write) -> None:
    """A stand-in lets a module import, and says what is missing when it is used."""
    write("import fast_kernels_missing as k\ndef relu(x): return k.relu(x, 1)\n", "local_ops.py")
    source = (
        f"{HEAD}from local_ops import relu\n"
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.a = nn.Linear(3, 3)\n"
        "    def forward(self, x): return relu(self.a(x))\n"
    )
    with pytest.raises(EstimateError, match=r"uses fast_kernels_missing\.relu"):
        estimate_here(write(source), batch=2)


def test_missing_base_class_is_named(estimate_here: Run, write: Write) -> None:
    """A model whose framework is not installed says which; other classes of it do not matter."""
    source = (
        "import framework_missing as fw\nclass Log(fw.Callback): ...\n"
        "class Net(fw.LightningModule): ...\nmodel = Net()\n"
    )
    with pytest.raises(EstimateError, match=r"Net derives from framework_missing\.LightningModule"):
        estimate_here(write(source), batch=2)


def test_handled_import_error_stays_an_error(estimate_here: Run, write: Write) -> None:
    """``try: import fast`` must fail, so that the fallback is taken."""
    write("try:\n    import fast_missing\n    width = 1\nexcept ImportError:\n    width = 5\n", "local_try.py")
    result = estimate_here(write(f"{HEAD}from local_try import width\nmodel = nn.Linear(width, 2)\n"), batch=2)
    assert result.parameters == 12


def test_module_of_a_package_with_relative_imports(estimate_here: Run, write: Write) -> None:
    """A file inside a package sees its neighbours as the package does."""
    write("", "local_pkg/__init__.py")
    write("width = 6\n", "local_pkg/sizes.py")
    path = write(f"{HEAD}from .sizes import width\nmodel = nn.Linear(width, 2)\n", "local_pkg/net.py")
    assert estimate_here(path, batch=2).parameters == 14


@pytest.mark.parametrize(
    ("hint", "loss"),
    [
        ("nn.MSELoss()", "mse_loss with a target like the output"),
        ("nn.BCEWithLogitsLoss()", "binary_cross_entropy_with_logits with a target like the output"),
        ("nn.NLLLoss()", "nll_loss with class indices"),
    ],
)
def test_loss_of_the_file_is_used(estimate_here: Run, write: Write, hint: str, loss: str) -> None:
    """A criterion that the script builds decides the default."""
    result = estimate_here(write(f"{MLP}criterion = {hint}\n"), batch=2)
    assert result.config["loss"].value == loss
    assert result.config["loss"].source == "train.py"


def test_inference_holds_no_gradients(estimate_here: Run, write: Write) -> None:
    """Without training there are neither gradients nor optimizer state, nor a loss."""
    result = estimate_here(write(MLP), batch=2, mode="inference")
    assert (result.at_peak.gradients, result.at_peak.optimizer_state) == (0, 0)
    assert "loss" not in result.config


def test_settings_reach_the_step(estimate_here: Run, write: Write) -> None:
    """Precision, kept gradients, accumulation and clipping change the peak or the sources."""
    path = write(MLP)
    plain = estimate_here(path, batch=64)
    half = estimate_here(path, batch=64, precision="bf16", zero_grad="keep", accumulate=2, clip=1.0)
    assert half.at_peak.parameters * 2 == plain.at_peak.parameters
    assert half.flops_per_step == 2 * (plain.flops_per_step or 0)
    assert {half.config[name].source for name in ("precision", "zero_grad", "accumulate", "clip")} == {
        "--precision", "--zero-grad", "--accumulate", "--clip",
    }  # fmt: skip


def test_verdict_on_a_named_gpu(estimate_here: Run, write: Write) -> None:
    """A small model fits a T4 and not 150 MiB, of which the context takes most."""
    path = write(MLP)
    fits = estimate_here(path, batch=2, gpu="t4")
    assert fits.verdict.status.value == "fits"
    assert fits.device.name == "Tesla T4"
    tight = estimate_here(path, batch=2, gpu="t4", gpu_memory_bytes=150 << 20)
    assert tight.verdict.status.value == "does not fit"
    assert tight.max_batch == 0


def test_lbfgs_is_refused_by_name() -> None:
    """Its step evaluates the loss as often as the values ask for, which shapes do not tell."""
    torch = pytest.importorskip("torch")
    from dnnlint.estimators.errors import OptionError
    from dnnlint.estimators.targets.optimizers import stepping_without_closure

    model = torch.nn.Linear(2, 2)
    adam = torch.optim.Adam(model.parameters())
    assert stepping_without_closure(adam) is adam
    with pytest.raises(OptionError, match="LBFGS"):
        stepping_without_closure(torch.optim.LBFGS(model.parameters()))
