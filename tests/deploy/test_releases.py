"""The tables of versions: what they answer, and that they say nothing where they know nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from dnnlint.knowledge import releases as table

FOLDER = Path(table.__file__).parent


def test_the_triple_of_the_specification_is_in_the_table() -> None:
    """pytorch 1.13.1, torchvision 0.14.1 and torchaudio 0.13.1 belong together."""
    (release,) = table.matching(SpecifierSet("==1.13.1"))
    assert release.companions == {"torchvision": ("0.14.1",), "torchaudio": ("0.13.1",)}
    assert "3.12" not in release.pythons


def test_releases_are_in_order() -> None:
    """The last one is the newest, where the table ends."""
    versions = [table.numbers(release.version) for release in table.releases()]
    assert versions == sorted(versions)


@pytest.mark.parametrize("name", ["releases.json", "cuda.json"])
def test_table_bears_date_and_source(name: str) -> None:
    """A figure that comes from elsewhere says when and from where."""
    content = json.loads((FOLDER / name).read_text("utf-8"))
    assert content["date"].count("-") == 2
    assert content.get("source") or content["sources"]


BUILDS = {
    "cu118": "11.8",
    "2.1.0+cu121": "12.1",
    "py3.10_cuda12.1_cudnn8.9.2_0": "12.1",
    "2.9.0-cuda13.0-cudnn9-runtime": "13.0",
    "cpu": "",
    "cuda": "",
    "23.10-py3": "",
}


@pytest.mark.parametrize(("text", "version"), BUILDS.items(), ids=BUILDS)
def test_cuda_version_is_read_from_builds(text: str, version: str) -> None:
    """Of tags, local versions and conda builds."""
    assert table.cuda_build(text) == version


GPUS = {
    "Tesla-V100-SXM2-16GB": ("V100", (7, 0)),
    "nvidia-tesla-t4": ("T4", (7, 5)),
    "NVIDIA-A100-SXM4-80GB": ("A100", (8, 0)),
    "nvidia-h100-80gb": ("H100", (9, 0)),
    "NVIDIA-RTX-6000-Ada-Generation": ("RTX6000ADA", (8, 9)),
    "rtx_3090": ("3090", (8, 6)),
    "l4": ("L4", (8, 9)),
    "b200": ("B200", (10, 0)),
}


@pytest.mark.parametrize(("name", "found"), GPUS.items(), ids=GPUS)
def test_model_is_found_in_a_name(name: str, found: tuple[str, tuple[int, int]]) -> None:
    """As drivers, clouds and clusters write it."""
    assert table.gpu_capability(name) == found


@pytest.mark.parametrize("name", ["gpu", "gtx_next", "mi300x", "a1000000", "true"])
def test_unknown_model_is_unknown(name: str) -> None:
    """No capability is made up."""
    assert table.gpu_capability(name) is None


FITS = [
    ("12.9", "V100", True),
    ("13.0", "V100", False),
    ("13.0", "P100", False),
    ("13.0", "T4", True),
    ("11.7", "H100", False),
    ("11.8", "H100", True),
    ("11.7", "L4", True),
    ("12.6", "B200", False),
    ("12.8", "B200", True),
    ("11.8", "A100", True),
    ("10.2", "A100", False),
]


@pytest.mark.parametrize(("cuda", "gpu", "runs"), FITS, ids=[f"{cuda} on {gpu}" for cuda, gpu, _ in FITS])
def test_cuda_release_runs_on_a_gpu(cuda: str, gpu: str, runs: bool) -> None:
    """Bounds on both sides; within a generation code for the smaller number runs."""
    release, found = table.cuda_release(cuda), table.gpu_capability(gpu)
    assert release is not None
    assert found is not None
    assert table.can_run(release, found[1]) is runs


def test_unknown_cuda_release_is_unknown() -> None:
    """A release that came later has no row."""
    assert table.cuda_release("99.0") is None


@pytest.mark.parametrize(
    ("package", "version", "minimum"),
    [
        ("lightning", "2.4.0", "2.1"),
        ("pytorch-lightning", "2.0.9", "1.11"),
        ("timm", "1.0.9", ""),
        ("lightning", "9.0", ""),
    ],
)
def test_minimum_of_torch(package: str, version: str, minimum: str) -> None:
    """As the metadata of the packages say."""
    assert table.torch_minimum(package, version) == minimum
