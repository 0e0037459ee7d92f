"""Environments of conda: channels, match specifications, and what pip adds."""

from __future__ import annotations

import re

from dnnlint.deploy.model import Channel, Dependency, Environment
from dnnlint.deploy.requirements import normalise, read_dependency
from dnnlint.deploy.tree import Mapping, Scalar, Span
from dnnlint.deploy.yaml_reader import inner_span

_MATCH = re.compile(
    r"^\s*(?:(?P<channel>[\w./-]+)::)?(?P<name>[A-Za-z0-9_][\w.-]*)\s*"
    r"(?P<version>(?:[=<>!~]=?\s*[\w.*+!]+(?:\s*[,|]\s*)?)+)?\s*(?P<build>=?\s*[\w.*]+)?\s*(?:\[.*\])?\s*$"
)
_PART = re.compile(r"(==|>=|<=|!=|~=|=|<|>)\s*([\w.*+!]+)")


def read_match(written: str, span: Span) -> Dependency | None:
    """One match specification, such as ``pytorch=2.1=py3.11_cuda12.1*`` or ``pytorch::pytorch>=2``."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    match = _MATCH.match(written)
    if match is None:
        return None
    parts = _PART.findall(match.group("version") or "")
    build = (match.group("build") or "").lstrip("= ")
    if len(parts) == 2 and parts[0][0] == parts[1][0] == "=":
        build = parts.pop()[1]
    try:
        specifier: SpecifierSet | None = SpecifierSet(",".join(_to_specifier(*part) for part in parts))
    except InvalidSpecifier:
        specifier = None
    name = normalise(match.group("name"))
    return Dependency(name, specifier, span, written, "conda", build=build, channel=match.group("channel") or "")


def _to_specifier(operator: str, version: str) -> str:
    """conda's ``=1.13`` allows every 1.13.x."""
    if operator == "=":
        return f"=={version}" if version.endswith("*") else f"=={version}.*"
    return f"{operator}{version}"


def read_conda(document: Mapping, text: str, has_lock: bool) -> Environment:
    """The environment of an ``environment.yml``."""
    dependencies: list[Dependency] = []
    indexes: list[str] = []
    for item in document.list("dependencies"):
        if isinstance(item, Scalar):
            found = read_match(item.text, inner_span(item, text))
            dependencies += [found] if found else []
        elif isinstance(item, Mapping):
            for line in item.list("pip"):
                if isinstance(line, Scalar):
                    _pip_line(line, inner_span(line, text), dependencies, indexes)
    channels = [
        Channel(item.text, inner_span(item, text)) for item in document.list("channels") if isinstance(item, Scalar)
    ]
    python = next((item for item in dependencies if item.name == "python" and item.manager == "conda"), None)
    return Environment(tuple(dependencies), python, tuple(indexes), tuple(channels), is_locked=has_lock)


def _pip_line(line: Scalar, span: Span, dependencies: list[Dependency], indexes: list[str]) -> None:
    option, _, value = line.text.strip().replace("=", " ", 1).partition(" ")
    if option.startswith("-"):
        if option in ("-i", "--index-url", "--extra-index-url", "-f", "--find-links"):
            indexes.append(value.strip())
        return
    found = read_dependency(line.text.partition(" --")[0].partition(" #")[0], span)
    dependencies += [found] if found else []
