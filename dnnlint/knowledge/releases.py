"""Which releases work together: torch with its companions, Python, CUDA and GPUs. The data lies in JSON files beside.

``releases.json`` is written by ``benchmarks/version_table.py`` from package metadata; ``cuda.json`` names its sources.
What is newer than the tables is unknown here, and no answer is made up for it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_LOCAL = re.compile(r"\+[\w.]+")
_BUILD = re.compile(r"(?:cu|cuda)[_-]?(\d{1,2}\.\d|\d{3})(?![\d])")


class Release(NamedTuple):
    """A release of torch and what goes with it."""

    version: str
    pythons: tuple[str, ...]
    companions: dict[str, tuple[str, ...]]
    """By package: the releases that require exactly this torch."""


class CudaBuild(NamedTuple):
    """What a release of CUDA runs on."""

    version: str
    oldest: tuple[int, int]
    """The smallest compute capability that it still compiles for."""
    newest: tuple[int, int]
    driver: str
    """The minimum driver on Linux."""


@cache
def _load(name: str) -> dict[str, dict[str, dict[str, object]]]:
    content: dict[str, dict[str, dict[str, object]]] = json.loads((files(__package__) / name).read_text("utf-8"))
    return content


def table_date() -> str:
    """The day on which the table of releases was read from the index."""
    return str(_load("releases.json")["date"])


@cache
def releases() -> tuple[Release, ...]:
    """Every known release of torch, the oldest first."""
    rows = _load("releases.json")["releases"].items()
    return tuple(
        Release(version, _texts(row["python"]), {name: _texts(row.get(name)) for name in ("torchvision", "torchaudio")})
        for version, row in rows
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, to compare."""
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))


def without_local(specifier: SpecifierSet) -> SpecifierSet:
    """A specifier without local versions, of which the tables have none."""
    return type(specifier)(_LOCAL.sub("", str(specifier)))


def matching(specifier: SpecifierSet) -> list[Release]:
    """The known releases of torch that a specifier allows."""
    plain = without_local(specifier)
    return [release for release in releases() if plain.contains(release.version, prereleases=True)]


def companion_releases(package: str) -> dict[str, str]:
    """The releases of torchvision or torchaudio, each with the torch that it requires."""
    return {item: release.version for release in releases() for item in release.companions[package]}


def torch_minimum(package: str, version: str) -> str:
    """The oldest torch that a release of Lightning or timm works with; empty when unknown."""
    rows = _load("cuda.json")["torch_minimums"].get(package, {})
    return str(rows.get(".".join(version.split(".")[:2]), ""))


def cuda_build(text: str) -> str:
    """The CUDA version that a build names, for example 12.1 for ``cu121`` and ``py3.10_cuda12.1_cudnn8``."""
    match = _BUILD.search(text.lower())
    if match is None:
        return ""
    found = match.group(1)
    return found if "." in found else f"{found[:-1]}.{found[-1]}"


def cuda_release(version: str) -> CudaBuild | None:
    """What is known of a CUDA version, with ``12.1.1`` as 12.1."""
    key = ".".join(version.split(".")[:2])
    row = _load("cuda.json")["cuda"].get(key)
    if row is None:
        return None
    return CudaBuild(key, capability(str(row["oldest"])), capability(str(row["newest"])), str(row["driver"]))


def capability(text: str) -> tuple[int, int]:
    """A compute capability such as ``8.6`` as two numbers."""
    major, _, minor = text.partition(".")
    return int(major), int(re.sub(r"\D.*", "", minor) or 0)


def gpu_capability(name: str) -> tuple[str, tuple[int, int]] | None:
    """The model in a name such as ``Tesla-V100-SXM2-16GB`` and its compute capability; None for unknown ones."""
    table = _load("cuda.json")["gpus"]
    lowered = re.sub(r"[\s_-]", "", name.lower())
    words = {word for word in re.split(r"[^a-z0-9]+", name.lower()) if word}
    # ``rtx6000ada`` before ``rtx6000``: the longest model that the name holds.
    for model in sorted(table, key=len, reverse=True):
        if model in words or (len(model) > 4 and model in lowered):
            return model.upper(), capability(str(table[model]))
    return None


def can_run(build: CudaBuild, gpu: tuple[int, int]) -> bool:
    """Whether a GPU runs programs of a CUDA release; those for one minor number run on later ones of the major."""
    return build.oldest <= gpu and gpu[0] <= build.newest[0]


def gpus_need(gpu: tuple[int, int]) -> tuple[str, str]:
    """The oldest and the newest CUDA release in the table that a GPU runs with."""
    fitting = [key for key in _load("cuda.json")["cuda"] if (row := cuda_release(key)) and can_run(row, gpu)]
    return (fitting[0], fitting[-1]) if fitting else ("", "")
