"""DNN902: versions of torch, its companions and Python that cannot be installed or loaded together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.knowledge.releases import (
    companion_releases,
    cuda_build,
    matching,
    numbers,
    releases,
    table_date,
    torch_minimum,
    without_local,
)
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import Dependency, DeployFile, Environment

_COMPANIONS = ("torchvision", "torchaudio")
_DEPENDANTS = ("lightning", "pytorch-lightning", "timm")
_PYTHON = re.compile(r"^3\.\d+")


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Compare every pair of versions that one environment fixes with the table of releases."""
    for environment in file.environments:
        torch = environment.find("torch", "pytorch")
        if torch is None or not torch.specifier:
            continue
        if not matching(torch.specifier):
            yield from _newer(torch)
            continue
        if any("nightly" in index for index in environment.indexes):
            continue  # nightly builds are numbered ahead of the releases, each in its own way
        for name in _COMPANIONS:
            other = environment.find(name)
            if other is not None and other.specifier and not (torch.marker or other.marker):
                yield from _companion(torch, other)
        yield from _python(torch, environment)
        for name in _DEPENDANTS:
            other = environment.find(name)
            if other is not None and other.specifier:
                yield from _minimum(torch, other)


def _newer(torch: Dependency) -> Iterator[FileReport]:
    """Say where the table ends; what lies behind it is not judged."""
    newest = releases()[-1].version
    if torch.exact and numbers(torch.exact) > numbers(newest):
        message = f"`{torch.written}` is newer than the table of releases, which ends at {newest} ({table_date()})"
        yield FileReport(
            torch.span, f"{message}: it was not compared.", "Update dnnlint to have it compared.", Severity.ADVICE
        )


def _companion(torch: Dependency, other: Dependency) -> Iterator[FileReport]:
    required = companion_releases(other.name)
    specifier = without_local(other.specifier) if other.specifier else None
    known = [version for version in required if specifier and specifier.contains(version, prereleases=True)]
    if not known or torch.specifier is None:
        return
    allowed = {release.version for release in matching(torch.specifier)}
    if not any(required[version] in allowed for version in known):
        wanted = required[known[-1]]
        yield FileReport(
            other.span,
            f"`{other.written}` requires torch {wanted}, and `{torch.written}` does not allow it.",
            _help(torch, other.name, wanted),
        )
    elif _differ(cuda_build(torch.build), cuda_build(other.build)):
        yield FileReport(
            other.span,
            f"`{other.written}` is built with another CUDA than `{torch.written}`: its operators fail to load.",
            "Take both from one package index.",
        )


def _differ(one: str, other: str) -> bool:
    return bool(one and other) and one != other


def _help(torch: Dependency, name: str, wanted: str) -> str:
    release = next((item for item in releases() if torch.exact and item.version == _full(torch.exact)), None)
    if release is not None and release.companions[name]:
        return f"Write `{name}=={release.companions[name][-1]}`, or torch {wanted}."
    return f"Write torch {wanted}, or the {name} of your torch."


def _full(version: str) -> str:
    plain = version.partition("+")[0]
    return plain if plain.count(".") > 1 else f"{plain}.0"


def _python(torch: Dependency, environment: Environment) -> Iterator[FileReport]:
    python = environment.python
    if python is None or not python.specifier or torch.marker or torch.specifier is None:
        return
    allowed = {minor for release in matching(torch.specifier) for minor in release.pythons}
    known = {f"3.{minor}" for minor in range(6, 20)}
    # conda builds exist for other versions than the wheels that the table was read from.
    slack = 1 if torch.manager == "conda" else 0
    fitting = {minor for minor in known if any(abs(_minor(minor) - _minor(item)) <= slack for item in allowed)}
    wanted = {
        minor for minor in known if python.specifier.contains(f"{minor}.99") or python.specifier.contains(f"{minor}.0")
    }
    exact = _PYTHON.match(python.exact)
    wanted = {exact.group()} if exact else wanted
    if wanted and allowed and not wanted & fitting:
        first, last = min(allowed, key=_minor), max(allowed, key=_minor)
        yield FileReport(
            torch.span,
            f"`{torch.written}` has builds for Python {first} to {last}, and `{_asked(python.written)}` is asked for.",
            "Change one of the two.",
        )


def _asked(written: str) -> str:
    return written if written.startswith("python") else f"python {written}"


def _minor(version: str) -> int:
    return int(version.partition(".")[2])


def _minimum(torch: Dependency, other: Dependency) -> Iterator[FileReport]:
    if not other.exact or torch.specifier is None:
        return
    minimum = torch_minimum(other.name, _full(other.exact))
    newest = max((numbers(release.version) for release in matching(torch.specifier)), default=())
    if minimum and newest and newest < numbers(minimum):
        yield FileReport(
            other.span,
            f"`{other.written}` needs torch {minimum} or newer, and `{torch.written}` does not allow it.",
            f"Raise torch to {minimum}, or take an older {other.name}.",
        )


RULE = Rule("DNN902", "incompatible-framework-versions", Severity.ERROR, "S2.2.1", check_file=check)
