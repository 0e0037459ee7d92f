"""Models by name, and files that ask for pretrained weights; each skipped where its library is not installed."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dnnlint.estimators import Estimate, EstimateError
from dnnlint.estimators.targets.packages import how_to_install

Run = Callable[..., Estimate]
Write = Callable[..., Path]

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")

LLAMA = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "intermediate_size": 128,
    "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100, "max_position_embeddings": 32,
}  # fmt: skip


def library(*names: str) -> pytest.MarkDecorator:
    """Skip a test where one of the libraries is not installed."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


@library("torchvision")
def test_torchvision_classifier(estimate_here: Run) -> None:
    """ResNet-18 at 224 pixels: its published parameter count, and 1.814 GFLOP (multiply-adds) forward."""
    result = estimate_here("torchvision/resnet18", batch=2)
    assert result.parameters == 11_689_512
    assert result.flops_per_step is not None
    forward = 2 * 1_814_073_344
    first_layer = 2 * 118_013_952
    # Backward multiplies twice for each forward multiplication, but computes no gradient of the image.
    assert result.flops_per_step == 2 * (3 * forward - first_layer)


@library("torchvision")
def test_torchvision_detection(estimate_here: Run) -> None:
    """Detection models take lists of images and targets, and return a dictionary of losses."""
    result = estimate_here("torchvision/ssdlite320_mobilenet_v3_large", batch=2, image_size=320)
    assert "one box each" in str(result.config["inputs"].value)
    assert result.config["loss"].value == "the loss that the model returns"


@library("timm")
def test_timm_model_with_its_own_input(estimate_here: Run) -> None:
    """The pretrained configuration gives the input size."""
    result = estimate_here("timm/resnet18", batch=2)
    assert "the model's own input_size" in str(result.config["inputs"].value)
    assert result.parameters == 11_689_512


@library("transformers")
def test_config_json(estimate_here: Run, tmp_path: Path) -> None:
    """A Hugging Face configuration: its class, its length, its own loss."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA))
    result = estimate_here(path, batch=2)
    assert result.parameters == 2 * 100 * 64 + 2 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64
    assert "input_ids 32, labels 32" in str(result.config["inputs"].value)
    assert estimate_here(path, batch=2, seq_len=8, mode="generate").at_peak.gradients == 0


@library("transformers")
@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("gpt2", "input_ids 1024, labels 1024"),
        ("vit", "pixel_values 3x224x224, labels one"),
        ("t5", "input_ids 512, labels 512"),
        ("wav2vec2", "input_values 16000, labels one"),
        ("whisper", "input_features 80x3000, labels 128"),
        ("speech_to_text", "input_features 1000x80, labels 128"),
    ],
)
def test_hugging_face_types(estimate_here: Run, name: str, inputs: str) -> None:
    """Text, images, pairs of texts, sound and its features."""
    result = estimate_here(f"hf/{name}", batch=1, mode="train", steps=2)
    assert inputs in str(result.config["inputs"].value)
    assert result.config["loss"].value == "the loss that the model returns"


@library("torchvision", "timm", "transformers")
@pytest.mark.parametrize(
    ("target", "nearest"), [("torchvision/resnet5", "resnet50"), ("timm/resnet5", "resnet50"), ("hf/gtp2", "gpt2")]
)
def test_unknown_names_get_the_nearest(estimate_here: Run, target: str, nearest: str) -> None:
    """As for GPUs and optimizers."""
    with pytest.raises(EstimateError, match="has no model") as caught:
        estimate_here(target)
    assert nearest in caught.value.help


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "no readable JSON"), ("[]", "names no model_type"), ('{"model_type": "nothing-like-it"}', "has no model")],
)
@library("transformers")
def test_unusable_configurations(estimate_here: Run, tmp_path: Path, content: str, message: str) -> None:
    """Each gets one message."""
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(EstimateError, match=message):
        estimate_here(path)


def test_missing_zoo_says_what_to_install(estimate_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that cannot be imported is named with the command that brings it."""
    monkeypatch.setitem(sys.modules, "timm", None)
    with pytest.raises(EstimateError, match="timm is not installed") as caught:
        estimate_here("timm/resnet18")
    assert "pip install timm" in caught.value.help


@library("torchvision")
def test_weights_of_torchvision_are_not_downloaded(estimate_here: Run, write: Write) -> None:
    """A script that asks for pretrained weights is estimated offline, and the report says so."""
    source = "import torchvision\nmodel = torchvision.models.resnet18(weights='DEFAULT')\n"
    assert "weights or checkpoints were not read" in " ".join(estimate_here(write(source), batch=2).warnings)


@library("timm")
def test_weights_of_timm_are_not_downloaded(estimate_here: Run, write: Write) -> None:
    """The same for timm."""
    source = "import timm\nmodel = timm.create_model('resnet18', pretrained=True, num_classes=10)\n"
    result = estimate_here(write(source), batch=2)
    assert result.parameters == 11_689_512 - 990 * 513


@library("transformers")
def test_from_pretrained_builds_from_the_local_configuration(estimate_here: Run, write: Write, tmp_path: Path) -> None:
    """With a configuration on this machine, the weights do not matter."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text(json.dumps(LLAMA))
    folder = str(tmp_path / "model")
    source = f"from transformers import LlamaForCausalLM as L\nmodel = L.from_pretrained({folder!r})\n"
    result = estimate_here(write(source), batch=2)
    assert any("pretrained weights were not downloaded" in line for line in result.warnings)


@library("transformers")
def test_from_pretrained_without_a_configuration_says_what_to_do(
    estimate_here: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network is closed; a model that was never downloaded cannot be built."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    source = "from transformers import BertModel\nmodel = BertModel.from_pretrained('nobody/never-downloaded')\n"
    with pytest.raises(EstimateError, match=r"not on this machine|cached files|couldn't connect"):
        estimate_here(write(source), batch=2)


@pytest.mark.parametrize(
    ("module", "distribution"),
    [
        ("torchvision.models", "torchvision"),
        ("transformers.models.auto.configuration_auto", "transformers"),
        ("cv2", "opencv-python"),
        ("sklearn.metrics", "scikit-learn"),
        ("PIL.Image", "pillow"),
        ("yaml", "PyYAML"),
        ("pytorch_lightning", "pytorch-lightning"),
    ],
)
def test_hint_names_the_distribution(module: str, distribution: str) -> None:
    """What is imported is not always what pip installs."""
    assert how_to_install(module) == f"Run pip install {distribution} in the environment of dnnlint."
