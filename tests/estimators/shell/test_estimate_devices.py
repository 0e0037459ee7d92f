"""The catalogue of GPUs."""

from __future__ import annotations

import pytest

from dnnlint.estimators.devices import Gpu, GpuError, all_gpus, custom_gpu, find_gpu
from dnnlint.estimators.devices.catalogue import _key

GIB = 2**30


def test_catalogue_holds_the_common_gpus() -> None:
    """At least 25 GPUs, from Pascal to Blackwell."""
    assert len(all_gpus()) >= 25
    assert {6, 7, 8, 9, 10, 12} <= {gpu.compute_capability[0] for gpu in all_gpus()}


@pytest.mark.parametrize("gpu", all_gpus(), ids=lambda gpu: gpu.name)
def test_entry_is_plausible_and_has_a_source(gpu: Gpu) -> None:
    """Figures within what was ever built, a source and a date for each."""
    assert 4 * GIB < gpu.memory_bytes < 200 * GIB
    assert 10 <= gpu.multiprocessors <= 200
    assert 0 < gpu.context.low_bytes <= gpu.context.high_bytes < 2 * GIB
    assert gpu.source
    assert gpu.context.source
    assert gpu.date[:3] == "202"


def test_names_and_aliases_are_unambiguous() -> None:
    """No two GPUs answer to one name."""
    keys = [
        _key(label) for gpu in all_gpus() for label in {_key(name): name for name in (gpu.name, *gpu.aliases)}.values()
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("t4", "Tesla T4"),
        ("Tesla T4", "Tesla T4"),
        ("rtx3090", "GeForce RTX 3090"),
        ("NVIDIA GeForce RTX 3090", "GeForce RTX 3090"),
        ("rtx-4090", "GeForce RTX 4090"),
        ("A100_80GB", "A100-SXM4-80GB"),
        ("nvidia-h100", "H100 80GB HBM3"),
        ("L40", "L40"),
    ],
)
def test_forgiving_names(name: str, found: str) -> None:
    """Case, punctuation and the vendor's words do not matter."""
    assert find_gpu(name).name == found


@pytest.mark.parametrize(
    ("name", "help"),
    [
        pytest.param("v100", "Tesla V100-SXM2-16GB, Tesla V100-SXM2-32GB", id="several"),
        pytest.param("rtx 309", "GeForce RTX 3090", id="misspelt"),
        pytest.param("voodoo", "Nearest", id="unknown"),
        pytest.param("", "Nearest", id="empty"),
    ],
)
def test_unknown_name_gets_the_nearest(name: str, help: str) -> None:
    """An ambiguous name lists what it fits; a wrong one lists neighbours."""
    with pytest.raises(GpuError) as caught:
        find_gpu(name)
    assert help in caught.value.help


def test_measured_contexts_are_points() -> None:
    """A T4's context is a measured figure; a GPU without one has a range."""
    assert find_gpu("t4").context.is_measured
    assert not find_gpu("l4").context.is_measured


def test_custom_memory_keeps_the_rest_of_the_gpu() -> None:
    """--gpu-memory with --gpu changes the capacity alone."""
    base = find_gpu("t4")
    gpu = custom_gpu(8 * GIB, base)
    assert (gpu.memory_bytes, gpu.compute_capability) == (8 * GIB, base.compute_capability)
    assert custom_gpu(8 * GIB).compute_capability == (8, 0)
