"""Run the examples of a documentation page: what it shows as wrong is reported, everything else is not.

In a ``python`` block ``# error: [rule-name]`` stands on each line that is reported, or on a later line of what is
reported, where a formatter puts the comments of a call that it breaks; a block without it is clean. A
``toml`` block sets options for the blocks behind it. A ``python fixed`` block is the text of the block before it after
its fixes. The markers are taken out before a block is checked. A block of another file bears its name behind the
language, ``yaml compose.yaml``, with ``fixed`` behind that for the text after the fixes, or ``beside`` for a file
that lies beside the one of the next block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from dnnlint.config.files import parse_toml_table
from dnnlint.config.model import Config, Overrides, RuleSettings
from dnnlint.config.parse import parse_config
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import Job, check_file
from dnnlint.engine.fixes import fix_text
from dnnlint.engine.fixing import SAFE_AND_UNSAFE
from dnnlint.engine.model import FileResult
from dnnlint.finding import Finding
from dnnlint.rule_docs import Page
from dnnlint.rules import RuleInfo

_MARKER = re.compile(r"[ \t]*#[ \t]*error:[ \t]*\[([^\]]*)\]")
_NAME = "example.py"


class Example(NamedTuple):
    """A block of code of a page."""

    line: int
    """Of the fence in the page."""
    text: str
    """Without the markers."""
    expected: tuple[tuple[int, str], ...]
    """The line and the rule of each finding, in order."""
    options: str
    """The TOML in force, empty for the defaults."""
    fixed: str | None
    """The text after the fixes, where the page shows it."""
    name: str = _NAME
    """The name of the file, which decides what it is taken for."""
    neighbours: Mapping[str, bytes] = {}


def examples_of(page: Page) -> Iterator[Example]:
    """The examples of a page in order."""
    options = ""
    neighbours: dict[str, bytes] = {}
    for block, following in zip_longest(page.blocks, page.blocks[1:]):
        name, role = _name_and_role(block.info)
        if block.info == "toml":
            options = block.text
        elif role == "beside":
            neighbours[name] = block.text.encode()
        elif name and not role:
            fixed = following.text if following is not None and following.info == f"{block.info} fixed" else None
            expected = tuple(sorted(_markers(block.text)))
            text = _MARKER.sub("", block.text)
            yield Example(block.line, text, expected, options, fixed and _MARKER.sub("", fixed), name, neighbours)
            neighbours = {}


def _name_and_role(info: str) -> tuple[str, str]:
    """The name of the file that a block shows, empty when it shows none, and what the block is for."""
    language, _, rest = info.partition(" ")
    if language == "python" and rest in ("", "fixed"):
        return _NAME, rest
    name, _, role = rest.partition(" ")
    return name, role


def findings_of(example: Example, info: RuleInfo) -> tuple[Finding, ...]:
    """What an example of a rule's page is reported for, by the rules that the page is about."""
    selectors = Selectors()
    return _check(example.text, example, _settings(example, info, selectors), selectors).findings


def differences(example: Example, info: RuleInfo) -> list[str]:
    """What an example shows that is not so; empty when all of it holds."""
    selectors = Selectors()
    settings = _settings(example, info, selectors)
    result = _check(example.text, example, settings, selectors)
    names = {info.name, *(name for _, name in example.expected)}
    findings = [finding for finding in result.findings if finding.name in names]
    problems = [f"{error.path}: {error.message}" for error in result.errors]
    problems += _mismatches(example.expected, findings)
    if example.fixed is not None:
        problems += _fix_differences(example, result, settings, selectors)
    return problems


def _fix_differences(
    example: Example, result: FileResult, settings: RuleSettings, selectors: Selectors
) -> Iterator[str]:
    def recheck(text: str) -> FileResult:
        return _check(text, example, settings, selectors)

    outcome = fix_text(example.text, result.findings, SAFE_AND_UNSAFE, recheck)
    if outcome.text != example.fixed:
        yield f"the fixes give\n{outcome.text}"
    for finding in outcome.refused:
        yield f"line {finding.line}: the fix of {finding.name} does not help"


def _settings(example: Example, info: RuleInfo, selectors: Selectors) -> RuleSettings:
    config = Config("")
    if example.options:
        table = parse_toml_table(example.options.encode(), "toml block")
        config = parse_config(table or {}, "", "toml block", selectors)
    # A suppression is unused only when the rule that it names was run.
    names = ("ALL",) if info.family == "engine" else (info.code, *(name for _, name in example.expected))
    return SettingsResolver(selectors, Overrides(select=names)).for_file(_NAME, config)


def _check(text: str, example: Example, settings: RuleSettings, selectors: Selectors) -> FileResult:
    return check_file(Job(example.name, text.encode(), settings, neighbours=example.neighbours), selectors)


def _markers(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        for match in _MARKER.finditer(line):
            yield from ((number, name.strip()) for name in match.group(1).split(","))


def _mismatches(expected: tuple[tuple[int, str], ...], findings: list[Finding]) -> Iterator[str]:
    left = list(findings)
    for line, name in expected:
        match = next((f for f in left if f.name == name and f.line <= line <= f.end_line), None)
        if match is None:
            yield f"line {line}: {name} is not reported"
        else:
            left.remove(match)
    for finding in left:
        yield f"line {finding.line}: {finding.name} is reported"
