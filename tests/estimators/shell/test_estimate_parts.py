"""Losses, candidate inputs, explanations and the search for the largest batch, each by itself."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the parts of an estimate need PyTorch")
pytest.importorskip("fvcore", reason="the parts of an estimate need fvcore")

from torch import nn

from dnnlint.estimators import EstimateError, EstimateOptions, OptionError, planning, session
from dnnlint.estimators.allocator import AllocatorConfig, Category, Mark, Phase, Trace
from dnnlint.estimators.batch import NotAffineError
from dnnlint.estimators.devices import Context, Gpu
from dnnlint.estimators.options import InputSpec, OptimizerSpec
from dnnlint.estimators.simulation import SimulationError, UnsupportedOperatorError
from dnnlint.estimators.targets.inputs import candidates, from_specs, text_lengths
from dnnlint.estimators.targets.losses import choose_loss, own_loss
from dnnlint.estimators.targets.optimizers import build_optimizer

MIB = 1 << 20
Heads = namedtuple("Heads", "logits aux")


def floats(*shape: int) -> Any:
    return torch.zeros(shape, requires_grad=True)


def ints(*shape: int) -> Any:
    return torch.zeros(shape, dtype=torch.int64)


@pytest.mark.parametrize(
    ("output", "inputs", "hint", "name", "target"),
    [
        pytest.param(floats(2, 10), floats(2, 3), None, "cross_entropy", (2,), id="classes"),
        pytest.param(floats(2, 5, 10), ints(2, 5), None, "cross_entropy", (2, 5), id="tokens"),
        pytest.param(floats(2, 1), floats(2, 3), None, "mean", None, id="one-number-is-no-class"),
        pytest.param(floats(2, 3, 8, 8), floats(2, 3, 8, 8), None, "mean", None, id="image-without-a-loss"),
        pytest.param(
            floats(2, 3, 8, 8), floats(2, 3, 8, 8), "mse_loss", "mse_loss", (2, 3, 8, 8), id="image-of-the-file"
        ),
        pytest.param(
            floats(2, 4, 8, 8), floats(2, 3, 8, 8), "cross_entropy", "cross_entropy", (2, 8, 8), id="segmentation"
        ),
        pytest.param(floats(7, 10), floats(2, 3), None, "mean", None, id="batch-is-elsewhere"),
        pytest.param({"out": floats(2, 10), "n": ints(2)}, floats(2, 3), None, "cross_entropy", (2,), id="mapping"),
        pytest.param(
            Heads(floats(2, 10), floats(2, 10)), floats(2, 3), None, "cross_entropy", (2,), id="auxiliary-head"
        ),
    ],
)
def test_loss_is_chosen_by_what_the_model_returns(
    output: Any, inputs: Any, hint: str | None, name: str, target: tuple[int, ...] | None
) -> None:
    """And it runs: a scalar with a gradient."""
    loss = choose_loss(output, inputs, hint, batch=2)
    assert loss.target is not None
    made = loss.target(2)
    assert loss.name == name
    assert (None if made is None else tuple(made.shape)) == target
    value = loss(output, made)
    assert value.dim() == 0
    value.backward()


def test_output_without_floats_has_no_loss() -> None:
    """Integers cannot be trained on."""
    with pytest.raises(TypeError, match="no floating-point"):
        choose_loss(ints(2), ints(2), None, 2)


@pytest.mark.parametrize(
    "output",
    [
        pytest.param({"loss": torch.tensor(3.0), "logits": floats(2, 2)}, id="mapping"),
        pytest.param({"a": torch.tensor(1.0), "b": torch.tensor(2.0)}, id="mapping-of-losses"),
        pytest.param((floats(2, 2), torch.tensor(3.0)), id="tuple"),
        pytest.param(type("Output", (), {"loss": torch.tensor(3.0)})(), id="attribute"),
    ],
)
def test_own_loss_of_a_model(output: Any) -> None:
    """Every way in which models hand out their loss; 3 each time."""
    assert own_loss(output) == 3
    assert choose_loss(output, None, "mse_loss", 2)(output, None) == 3


@pytest.mark.parametrize("output", [{"a": torch.tensor(1.0), "b": floats(2)}, (floats(2),), floats(2), {}])
def test_no_own_loss(output: Any) -> None:
    """A tensor that is not a scalar is no loss."""
    assert own_loss(output) is None


def test_named_inputs_become_keywords_and_masks_let_through() -> None:
    """Integers are zeros, masks and booleans ones, floats have no content."""
    made = from_specs((InputSpec((4,), "int64", "ids"), InputSpec((4,), "int64", "attention_mask")))(3)
    assert set(made) == {"ids", "attention_mask"}
    assert made["ids"].tolist() == [[0] * 4] * 3
    assert made["attention_mask"].all()
    assert from_specs((InputSpec((2,), "bool"),))(1).all()


def test_every_required_parameter_gets_an_input() -> None:
    """Time steps are one integer for each sample; others look like the first."""

    class Denoiser(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(3, 3, 1)

        def forward(self, x: Any, y: Any, t: Any) -> Any:
            return self.conv(x)

    first = next(iter(candidates(Denoiser(), EstimateOptions(image_size=16), True)))
    x, y, t = first.make(2)
    assert x.shape == y.shape == (2, 3, 16, 16)
    assert (t.shape, t.dtype) == ((2,), torch.int64)


@pytest.mark.parametrize(
    ("settings", "lengths"),
    [
        ({"block_size": 64}, [64, 512, 128]),
        ({"max_position_embeddings": 131072}, [1024, 512, 128]),
        ({"max_position_embeddings": 77}, [77, 512, 128]),
        ({}, [512, 128]),
    ],
)
def test_text_lengths(settings: dict[str, int], lengths: list[int]) -> None:
    """The trained length as it is, a mere limit capped, and the option above all."""
    model = nn.Linear(1, 1)
    for name, value in settings.items():
        setattr(model, name, value)
    assert text_lengths(model, EstimateOptions()) == lengths
    assert text_lengths(model, EstimateOptions(seq_len=9)) == [9]


def test_every_optimizer_name_is_a_class_of_torch() -> None:
    """Names that this PyTorch lacks are refused by name; all others are found."""
    with pytest.raises(OptionError, match="has no optimizer nothing"):
        build_optimizer(nn.Linear(2, 2), OptimizerSpec("nothing"), None, None)
    found = build_optimizer(nn.Linear(2, 2), OptimizerSpec("adamw"), True, None)
    assert found.defaults["foreach"] is True


@pytest.mark.parametrize(
    ("error", "message"),
    [
        pytest.param(UnsupportedOperatorError("my::op", "no"), "operator my::op has no rule", id="operator"),
        pytest.param(SimulationError("it is so"), "it is so", id="other"),
    ],
)
def test_errors_of_the_simulation_are_explained(error: Exception, message: str) -> None:
    """By name, never a guess; other errors pass unchanged."""
    with pytest.raises(EstimateError, match=message), session._Explained():
        raise error
    with pytest.raises(KeyError), session._Explained():
        raise KeyError("own")


def trace_of(sizes: list[int]) -> Trace:
    """Two steps that hold storages of these sizes."""
    births = [number + 1 for number in range(len(sizes))]
    events = (*births, *(-birth for birth in births))
    count = len(sizes)
    return Trace(
        events,
        sizes,
        [Category.ACTIVATIONS] * count,
        ["op"] * count,
        [""] * count,
        (Mark(0, 0, Phase.FORWARD),),
        transient=[False] * count,
    )


def gpu(memory: int, context: int) -> Gpu:
    return Gpu("test", (), memory, (8, 0), 100, Context(context, context, "measured"), "here", "2026")


@pytest.mark.parametrize(
    ("size_of", "largest"),
    [
        pytest.param(lambda batch: batch * batch * MIB, 8, id="quadratic"),
        pytest.param(lambda batch: 60 * MIB + 20 * MIB * (batch > 3), 3, id="step"),
        pytest.param(lambda batch: 100 * MIB, 0, id="never"),
        pytest.param(lambda batch: 60 * MIB * batch, 1, id="one"),
    ],
)
def test_largest_batch_by_tracing(monkeypatch: pytest.MonkeyPatch, size_of: Callable[[int], int], largest: int) -> None:
    """Sizes that do not follow the batch: bisection by traces in 72 MiB (80 % of 100 MiB less 8 MiB of context)."""

    def refuse(trace_at: Any) -> Any:
        raise NotAffineError("sizes jump")

    monkeypatch.setattr(planning, "fit_batch_family", refuse)
    traced: list[int] = []

    def trace_at(batch: int) -> Trace:
        traced.append(batch)
        return trace_of([size_of(batch)])

    found, how = planning.find_largest_batch(trace_at, gpu(100 * MIB, 8 * MIB), 0.2, AllocatorConfig())
    assert found == largest
    assert "sizes jump" in how
    assert len(traced) <= planning.MOST_TRACES


def test_context_alone_can_be_too_much() -> None:
    """Then no batch fits, and nothing is traced."""
    found, how = planning.find_largest_batch(lambda batch: trace_of([]), gpu(10 * MIB, 9 * MIB), 0.2, AllocatorConfig())
    assert found == 0
    assert "context" in how
