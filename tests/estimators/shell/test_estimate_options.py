"""Options of an estimate: what is read, and what is refused before anything heavy starts."""

from __future__ import annotations

import json

import pytest

from dnnlint.estimators import request
from dnnlint.estimators.errors import OptionError
from dnnlint.estimators.options import (
    EstimateOptions,
    InputSpec,
    OptimizerSpec,
    parse_argument,
    parse_bytes,
    parse_input,
    parse_optimizer,
)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        pytest.param("3x224x224", InputSpec((3, 224, 224)), id="shape-alone-is-float"),
        pytest.param("int64:1024", InputSpec((1024,), "int64"), id="type-and-shape"),
        pytest.param("input_ids:int64:128", InputSpec((128,), "int64", "input_ids"), id="name-type-and-shape"),
        pytest.param("mask:128", InputSpec((128,), "float32", "mask"), id="name-and-shape"),
        pytest.param("int64", InputSpec((), "int64"), id="one-number-for-each-sample"),
        pytest.param("labels:int64", InputSpec((), "int64", "labels"), id="name-of-one-number"),
    ],
)
def test_input_is_read(text: str, spec: InputSpec) -> None:
    """The forms of --input."""
    assert parse_input(text) == spec


@pytest.mark.parametrize("text", ["", "3xx3", "axb", "a:b:c:3", "a:b:3", "3x0", "1-2:3"])
def test_input_is_refused(text: str) -> None:
    """What describes no tensor names the forms that do."""
    with pytest.raises(OptionError) as caught:
        parse_input(text)
    assert caught.value.help


@pytest.mark.parametrize(
    ("text", "size"),
    [("24GiB", 24 << 30), ("24G", 24 << 30), ("24gb", 24 * 10**9), ("1.5MiB", 3 << 19), ("512", 512), (" 2 k ", 2048)],
)
def test_size_is_read(text: str, size: int) -> None:
    """Binary units with i or alone, decimal ones with B."""
    assert parse_bytes(text, "--gpu-memory") == size


@pytest.mark.parametrize("text", ["much", "", "-3GiB", "3 XiB"])
def test_size_is_refused(text: str) -> None:
    """The message names the option."""
    with pytest.raises(OptionError, match="--gpu-memory"):
        parse_bytes(text, "--gpu-memory")


def test_optimizer_is_read_with_literal_arguments() -> None:
    """Numbers, booleans in either spelling, and text."""
    spec = parse_optimizer("SGD:lr=0.1,momentum=0.9,nesterov=true,foreach=False")
    assert spec == OptimizerSpec("sgd", (("lr", 0.1), ("momentum", 0.9), ("nesterov", True), ("foreach", False)))


@pytest.mark.parametrize(
    ("text", "help"),
    [("adamx", "Did you mean"), ("zzz", "Known are"), ("sgd:momentum", "sgd:momentum=0.9"), ("sgd:1=2", "momentum")],
)
def test_optimizer_is_refused(text: str, help: str) -> None:
    """An unknown name gets the nearest ones."""
    with pytest.raises(OptionError) as caught:
        parse_optimizer(text)
    assert help in caught.value.help


def test_argument_is_read() -> None:
    """Literals become values, everything else stays text, a container included."""
    assert parse_argument("width=64") == ("width", 64)
    assert parse_argument("name=resnet") == ("name", "resnet")
    assert parse_argument("sizes=[1, 2]") == ("sizes", "[1, 2]")
    assert parse_argument("flag=none") == ("flag", None)


@pytest.mark.parametrize("text", ["width", "1=2", "a b=3"])
def test_argument_is_refused(text: str) -> None:
    """Only key=value with a name as key."""
    with pytest.raises(OptionError):
        parse_argument(text)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        pytest.param({"batch": 0}, "--batch is 0", id="batch-0"),
        pytest.param({"batch": -3}, "--batch is -3", id="batch-negative"),
        pytest.param({"accumulate": 0}, "--accumulate", id="accumulate-0"),
        pytest.param({"timeout_s": 0.0}, "--timeout", id="timeout-0"),
        pytest.param({"gpu_memory_bytes": 0}, "--gpu-memory", id="gpu-memory-0"),
        pytest.param({"precision": "fp8"}, "--precision is 'fp8'", id="precision"),
        pytest.param({"mode": "test"}, "--mode", id="mode"),
        pytest.param({"attention": "fast"}, "--attention", id="attention"),
        pytest.param({"zero_grad": "maybe"}, "--zero-grad", id="zero-grad"),
        pytest.param({"headroom": 1.0}, "--headroom", id="headroom-1"),
        pytest.param({"headroom": -0.1}, "--headroom", id="headroom-negative"),
        pytest.param({"clip": 0.0}, "--clip", id="clip-0"),
        pytest.param({"foreach": True, "fused": True}, "exclude", id="foreach-and-fused"),
        pytest.param({"max_batch": True}, "--max-batch", id="max-batch-without-memory"),
        pytest.param({"steps": 1}, "--steps", id="one-step-is-no-steady-state"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, object], part: str) -> None:
    """Every refusal names the option and says what to give instead."""
    with pytest.raises(OptionError) as caught:
        EstimateOptions(**options)  # type: ignore[arg-type]
    assert part in caught.value.message
    assert caught.value.help


def test_order_survives_json() -> None:
    """The child process gets exactly the options that the command read."""
    options = EstimateOptions(
        batch=4,
        inputs=(InputSpec((3, 8, 8)), InputSpec((8,), "int64", "ids")),
        optimizer=OptimizerSpec("sgd", (("momentum", 0.9),)),
        freeze=("a.*",),
        arguments=(("width", 3),),
        gpu="t4",
    )
    assert request.from_json(json.loads(json.dumps(request.to_json("m.py", options)))) == ("m.py", options)
