"""Properties that hold for any input."""

from __future__ import annotations

from collections import Counter

import libcst as cst
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dnnlint.config.model import Config, Overrides, RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import Job, check_file, check_source
from dnnlint.engine.codec import decode_result, encode_result
from dnnlint.engine.fixes import fix_text
from dnnlint.engine.fixing import SAFE_AND_UNSAFE
from dnnlint.engine.guard import find_excess
from dnnlint.engine.model import FileResult
from dnnlint.engine.positions import lay_out
from dnnlint.engine.source import LineTable, Source

lenient = settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

NAMES = st.sampled_from(["bad", "old", "odd", "model", "loss", "optimizer", "loader", "torch", "é"])
LEAVES = st.one_of(NAMES, st.sampled_from(["1", "0.5", "None", "'s'", "f'{x}#'", "[]"]))


def _calls(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(NAMES, children, children)
    return st.one_of(
        st.tuples(NAMES, st.lists(children, max_size=3)).map(lambda t: f"{t[0]}({', '.join(t[1])})"),
        pairs.map(lambda t: f"{t[0]}.{'step'}({t[1]}, k={t[2]})"),
        pairs.map(lambda t: f"({t[1]}\n  + {t[2]})"),
        pairs.map(lambda t: f"[{t[1]} for {t[0]} in {t[2]} if {t[0]}]"),
        pairs.map(lambda t: f"(lambda {t[0]}: {t[1]})"),
    )


EXPRESSIONS = st.recursive(LEAVES, _calls, max_leaves=8)
COMMENTS = st.sampled_from(
    ["", "", "  # noqa", "  # noqa: DNN901", "  # dnnlint: ignore[bad-call]", "  # dnnlint: ignore", "  # c"]
)
SIMPLE = st.tuples(st.sampled_from(["{}", "x = {}", "return {}", "x += {}", "del x; {}"]), EXPRESSIONS, COMMENTS)


def _indent(lines: list[str]) -> list[str]:
    return ["    " + line for text in lines for line in text.split("\n")]


def _blocks(children: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    headers = st.sampled_from(
        [
            "for x in {}:",
            "while {}:",
            "with {}:",
            "if {}:",
            "def f(x={}):",
            "@torch.no_grad()\ndef f(x={}):",
            "class A({}):",
        ]
    )
    bodies = st.lists(children, min_size=1, max_size=3).map(lambda lists: [line for lines in lists for line in lines])
    return st.tuples(headers, EXPRESSIONS, COMMENTS, bodies).map(
        lambda t: [t[0].format(t[1].replace("\n", " ")) + t[2], *_indent(t[3])]
    )


STATEMENTS = st.recursive(SIMPLE.map(lambda t: [t[0].format(t[1]) + t[2]]), _blocks, max_leaves=8)
PROGRAMS = st.tuples(st.lists(STATEMENTS, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda t: (
        t[1].join(["import torch", *(line for lines in t[0] for line in "\n".join(lines).split("\n"))])
        + (t[1] if t[2] else "")
    )
)


@pytest.fixture
def rules(fake_rules: object) -> tuple[RuleSettings, Selectors]:
    selectors = Selectors()
    return SettingsResolver(selectors, Overrides()).for_file("a.py", Config("")), selectors


Rules = tuple[RuleSettings, Selectors]


@lenient
@given(PROGRAMS)
def test_positions_cover_the_text(text: str) -> None:
    """A program is reproduced to the character, and every name stands at its span."""
    module = cst.parse_module(text)
    assert module.code == text
    names: list[cst.CSTNode] = []
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        names += [node] if isinstance(node, cst.Name) else []
        stack.extend(node.children)
    layout = lay_out(module, names)
    assert layout.length == len(text)
    assert all(text[slice(*layout.spans[node])] == node.value for node in names if isinstance(node, cst.Name))


@lenient
@given(PROGRAMS)
def test_findings_lie_in_the_file_and_in_order(rules: Rules, text: str) -> None:
    """Nothing crashes, no finding is reported twice, and every place exists."""
    result = check_source(Source(text), "a.py", *rules)
    assert result.errors == ()
    places = [finding.sort_key for finding in result.findings]
    assert places == sorted(places)
    assert len(set(result.findings)) == len(result.findings)
    table = LineTable(text)
    for finding in result.findings:
        assert 1 <= finding.line <= finding.end_line <= table.line(len(text))
        assert (finding.line, finding.column) < (finding.end_line, finding.end_column)


@lenient
@given(PROGRAMS)
def test_fixing_twice_is_fixing_once(rules: Rules, text: str) -> None:
    """The fixed text parses, has no finding that the text had not, and no fix left to apply."""

    def recheck(changed: str) -> FileResult:
        return check_source(Source(changed), "a.py", *rules)

    before = recheck(text).findings
    once = fix_text(text, before, SAFE_AND_UNSAFE, recheck)
    cst.parse_module(once.text)
    after = recheck(once.text).findings
    assert not Counter(finding.code for finding in after) - Counter(finding.code for finding in before)
    assert len(after) <= len(before) - once.applied
    twice = fix_text(once.text, after, SAFE_AND_UNSAFE, recheck)
    assert (twice.text, twice.applied) == (once.text, 0)


@lenient
@given(PROGRAMS)
def test_suppressing_every_finding_leaves_none(rules: Rules, text: str) -> None:
    """A comment for the whole file silences all, and what it silences is counted."""
    found = check_source(Source(text), "a.py", *rules)
    about_code = [finding for finding in found.findings if not finding.code.startswith("DNN00")]
    silenced = check_source(Source(f"# dnnlint: ignore-file\n{text}"), "a.py", *rules)
    assert [finding for finding in silenced.findings if not finding.code.startswith("DNN00")] == []
    assert silenced.suppressed == found.suppressed + len(about_code)


@lenient
@given(PROGRAMS)
def test_results_survive_the_cache(rules: Rules, text: str) -> None:
    """What is kept comes back equal."""
    result = check_source(Source(text), "a.py", *rules)
    assert decode_result(encode_result(result), "a.py") == result


@lenient
@given(st.binary(max_size=200), st.sampled_from(["a.py", "a.ipynb"]))
def test_no_bytes_crash_a_check(rules: Rules, data: bytes, name: str) -> None:
    """Whatever a file holds is a finding or nothing."""
    result = check_file(Job(name, b"# torch\n" + data, rules[0]), rules[1])
    assert result.errors == ()


@lenient
@given(st.text(max_size=200))
def test_no_text_crashes_a_check(rules: Rules, text: str) -> None:
    """Nor does any text, with lines that exist."""
    data = f"torch\n{text}".encode("utf-8", "surrogatepass")
    result = check_file(Job("a.py", data, rules[0]), rules[1])
    assert result.errors == ()
    assert all(finding.line >= 1 and finding.column >= 1 for finding in result.findings)


@lenient
@given(st.text(alphabet="()[]{}+-*.,=:#'\"\\\na \t", max_size=300))
def test_guard_never_fails(text: str) -> None:
    """On any mixture of what it counts; a short text never exceeds the limits."""
    assert find_excess(text) is None or len(text) > 150
