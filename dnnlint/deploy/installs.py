"""What shell commands install: pip, uv and conda."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from dnnlint.deploy.conda import read_match
from dnnlint.deploy.model import Channel, Command, Dependency, Environment
from dnnlint.deploy.requirements import PipInstall, RequirementsFile

_PIP = re.compile(r"^(?:.*/)?(pip|pip3(\.\d+)?)$")
_PYTHON = re.compile(r"^(?:.*/)?python[\d.]*$")
_CONDA = re.compile(r"^(?:.*/)?(conda|mamba|micromamba)$")
_CONDA_VALUES = frozenset("-n --name -p --prefix -f --file --solver --revision --repodata-fn".split())


def environment_of(commands: Iterable[Command], neighbours: Mapping[str, bytes]) -> Environment | None:
    """What a row of commands installs together; None when they install nothing."""
    dependencies: list[Dependency] = []
    indexes: list[str] = []
    channels: list[Channel] = []
    constrained: set[str] = set()
    for command in commands:
        texts = command.texts
        start = pip_arguments(texts)
        if start is not None:
            install = PipInstall((word.text, word.span) for word in command.words[start:])
            dependencies += install.dependencies
            indexes += install.indexes
            constrained.update(bounded_names(install.constraints + install.included, neighbours))
        elif _is_conda_install(texts):
            _conda(command, dependencies, channels)
    if not dependencies and not channels:
        return None
    python = next((item for item in dependencies if item.name == "python" and item.manager == "conda"), None)
    return Environment(tuple(dependencies), python, tuple(indexes), tuple(channels), constrained=frozenset(constrained))


def pip_arguments(texts: tuple[str, ...]) -> int | None:
    """Where the arguments of ``pip install`` begin; None for other commands."""
    words = list(texts)
    skipped = 0
    while words and words[0] in ("sudo", "exec", "time", "nice"):
        words, skipped = words[1:], skipped + 1
    if words and _PYTHON.match(words[0]) and words[1:3] == ["-m", "pip"]:
        words, skipped = words[2:], skipped + 2
    if words[:2] == ["uv", "pip"]:
        words, skipped = words[1:], skipped + 1
    if words and _PIP.match(words[0]):
        for index, word in enumerate(words[1:], 1):
            if word == "install":
                return skipped + index + 1
            if not word.startswith("-"):
                return None
    return None


def _is_conda_install(texts: tuple[str, ...]) -> bool:
    return len(texts) > 2 and _CONDA.match(texts[0]) is not None and texts[1] in ("install", "create")


def _conda(command: Command, dependencies: list[Dependency], channels: list[Channel]) -> None:
    words = iter(command.words[2:])
    for word in words:
        name, equals, value = word.text.partition("=") if word.text.startswith("-") else ("", "", "")
        if name in ("-c", "--channel"):
            given = word if equals else next(words, word)
            channels.append(Channel(value if equals else given.text, given.span))
        elif name in _CONDA_VALUES:
            if not equals:
                next(words, None)
        elif not name and "$" not in word.text:
            found = read_match(word.text, word.span)
            if found is not None:
                dependencies.append(found)


def bounded_names(files: Iterable[str], neighbours: Mapping[str, bytes]) -> set[str]:
    """The packages that the named files give a version to."""
    names: set[str] = set()
    for path in files:
        data = neighbours.get(os.path.normpath(path)) or neighbours.get(os.path.basename(path))
        if data is not None:
            found = RequirementsFile(data.decode("utf-8", "replace")).dependencies
            names.update(item.name for item in found if item.specifier is None or len(item.specifier))
    return names
