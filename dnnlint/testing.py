"""Test rules by the examples of their documentation pages: what a page shows as wrong is reported, nothing else is.

In a ``python`` block ``# error: [rule-name]`` stands on each line that is reported, or on a later line of what is
reported, where a formatter puts the comments of a call that it breaks; a block without it is clean. A
``toml`` block sets options for the blocks behind it. A ``python fixed`` block is the text of the block before it after
its fixes. The markers are taken out before a block is checked. A block of another file bears its name behind the
language, ``yaml compose.yaml``, with ``fixed`` behind that for the text after the fixes, or ``beside`` for a file
that lies beside the one of the next block.

``pages`` gives a test all of this to run, ``check_page`` runs one page without a test framework, and ``findings``
checks a text of its own. None of them needs the rules to be installed. docs/plugins.md shows their use.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, Union

from dnnlint.config.files import parse_toml_table
from dnnlint.config.model import Config, Overrides, RuleSettings
from dnnlint.config.parse import parse_config
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import Job, check_file
from dnnlint.engine.errors import UsageError
from dnnlint.engine.fixes import fix_text
from dnnlint.engine.fixing import SAFE_AND_UNSAFE
from dnnlint.engine.model import FileResult
from dnnlint.finding import Finding
from dnnlint.plugins import make_plugin
from dnnlint.rule import OptionValue, Rule
from dnnlint.rule_docs import Page, page_path, parse_page, read_page
from dnnlint.rules import OWN_PREFIX, RuleInfo

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

__all__ = [
    "Case",
    "Example",
    "RuleLike",
    "check_page",
    "differences",
    "examples_of",
    "findings",
    "findings_of",
    "pages",
]

_MARKER = re.compile(r"[ \t]*#[ \t]*error:[ \t]*\[([^\]]*)\]")
_NAME = "example.py"
_FAMILY = "rules-under-test"

RuleLike = Union[Rule, RuleInfo]
"""A rule, or what the catalogue says of a built-in one."""


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


class Case(NamedTuple):
    """An example together with the rule whose page shows it."""

    rule: RuleLike
    example: Example
    others: tuple[RuleLike, ...] = ()
    """Rules that the page may name beside its own."""

    def problems(self) -> list[str]:
        """What the example shows that is not so; empty when all of it holds."""
        return differences(self.example, self.rule, self.others)


def pages(rules: RuleLike | Iterable[RuleLike]) -> list[ParameterSet]:
    """The examples of the pages of rules, each a ``Case``, for ``pytest.mark.parametrize``.

    Raises:
        UsageError: a rule has no page, or one without examples.
    """
    import pytest

    given = (rules,) if isinstance(rules, Rule | RuleInfo) else tuple(rules)
    parameters: list[ParameterSet] = []
    for rule in given:
        info = _info_of(rule, given)
        for example in _page_examples(read_page(info), page_path(info)):
            name = f"{info.code}-{info.name}-line-{example.line}"
            parameters.append(pytest.param(Case(rule, example, given), id=name))
    return parameters


def check_page(rule: RuleLike, path: str | os.PathLike[str] | None = None) -> list[str]:
    """What the page of a rule shows that is not so, each with its place; ``path`` is that of the page.

    Raises:
        UsageError: the page cannot be read, or has no examples.
    """
    file = os.fspath(path) if path is not None else page_path(_info_of(rule))
    try:
        with open(file, encoding="utf-8") as stream:
            page = parse_page(stream.read())
    except OSError as error:
        raise UsageError(f"{file}: cannot read the page: {error.strerror}") from error
    return [
        f"{file}:{example.line}: {problem}"
        for example in _page_examples(page, file)
        for problem in differences(example, rule)
    ]


def findings(rule: RuleLike, source: str, options: Mapping[str, OptionValue] | None = None) -> tuple[Finding, ...]:
    """What one rule reports in a text of Python, in order of place.

    Raises:
        UsageError: an option that the rule does not have, or a value of the wrong type.
        RuntimeError: the rule crashed.
    """
    selectors = _selectors((rule,))
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in (options or {}).items()}
    table: dict[str, object] = {"rules": {rule.name: values}} if values else {}
    config = parse_config(table, "", "options", selectors)
    settings = SettingsResolver(selectors, Overrides(select=(rule.code,))).for_file(_NAME, config)
    result = _check(source, Example(1, source, (), "", None), settings, selectors)
    if result.errors:
        raise RuntimeError("; ".join(error.message for error in result.errors))
    return tuple(finding for finding in result.findings if finding.code == rule.code)


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


def findings_of(example: Example, rule: RuleLike) -> tuple[Finding, ...]:
    """What an example of a rule's page is reported for, by the rules that the page is about."""
    selectors = _selectors((rule,))
    return _check(example.text, example, _settings(example, rule, selectors), selectors).findings


def differences(example: Example, rule: RuleLike, others: Iterable[RuleLike] = ()) -> list[str]:
    """What an example shows that is not so; empty when all of it holds."""
    selectors = _selectors((rule, *others))
    settings = _settings(example, rule, selectors)
    result = _check(example.text, example, settings, selectors)
    names = {rule.name, *(name for _, name in example.expected)}
    reported = [finding for finding in result.findings if finding.name in names]
    problems = [f"{error.path}: {error.message}" for error in result.errors]
    problems += _mismatches(example.expected, reported)
    if example.fixed is not None:
        problems += _fix_differences(example, result, settings, selectors)
    return problems


def _selectors(rules: Iterable[RuleLike]) -> Selectors:
    """The catalogue, and those of the rules that it does not hold."""
    known = {rule.code: rule for rule in rules if isinstance(rule, Rule) and not rule.code.startswith(OWN_PREFIX)}
    return Selectors((make_plugin(_FAMILY, tuple(known.values())),) if known else ())


def _info_of(rule: RuleLike, others: Iterable[RuleLike] = ()) -> RuleInfo:
    return rule if isinstance(rule, RuleInfo) else _selectors((*others, rule)).rules[rule.code]


def _page_examples(page: Page, path: str) -> list[Example]:
    """A page that was not found would otherwise pass."""
    examples = list(examples_of(page))
    if not examples:
        raise UsageError(f"{path}: no page with examples")
    return examples


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


def _settings(example: Example, rule: RuleLike, selectors: Selectors) -> RuleSettings:
    config = Config("")
    if example.options:
        table = parse_toml_table(example.options.encode(), "toml block")
        config = parse_config(table or {}, "", "toml block", selectors)
    # A suppression is unused only when the rule that it names was run.
    is_engine = isinstance(rule, RuleInfo) and rule.family == "engine"
    names = ("ALL",) if is_engine else (rule.code, *(name for _, name in example.expected))
    return SettingsResolver(selectors, Overrides(select=names)).for_file(_NAME, config)


def _check(text: str, example: Example, settings: RuleSettings, selectors: Selectors) -> FileResult:
    return check_file(Job(example.name, text.encode(), settings, neighbours=example.neighbours), selectors)


def _markers(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        for match in _MARKER.finditer(line):
            yield from ((number, name.strip()) for name in match.group(1).split(","))


def _mismatches(expected: tuple[tuple[int, str], ...], reported: list[Finding]) -> Iterator[str]:
    left = list(reported)
    for line, name in expected:
        match = next((f for f in left if f.name == name and f.line <= line <= f.end_line), None)
        if match is None:
            yield f"line {line}: {name} is not reported"
        else:
            left.remove(match)
    for finding in left:
        yield f"line {finding.line}: {finding.name} is reported"
