"""Fixtures for tests of the command line and the engine."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from dnnlint.cli import main
from dnnlint.engine import running
from dnnlint.facts import collect_facts
from dnnlint.finding import FixSafety, Severity
from dnnlint.program import Program
from dnnlint.program.units import Linker, Unit
from dnnlint.rule import NodeEdit, Option, Report, Rule, Settings
from dnnlint.rules import _table
from tests.support import Golden, Run, RunCommand


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected outputs")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working folder and lies below no configuration."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def dnnlint(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunCommand:
    """Run the command line in the project."""

    def run(*arguments: str, stdin: bytes | None = None) -> Run:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 2
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run


class _FakeProgram:
    """The nodes of a file; rules about plain calls need no analysis."""

    def __init__(self, source: cst.Module | Unit, *context: object) -> None:
        module = source.module if isinstance(source, Unit) else source
        self.linker = Linker([Unit("", module.code, module, collect_facts(module))])
        self.nodes: list[cst.CSTNode] = [module]
        for node in self.nodes:
            self.nodes.extend(node.children)


def _nodes(program: Program) -> list[cst.CSTNode]:
    assert isinstance(program, _FakeProgram)
    return program.nodes


def _calls(program: Program, names: tuple[str, ...]) -> Iterator[cst.Call]:
    for node in _nodes(program):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in names:
            yield node


def _bad_call(program: Program, settings: Settings) -> Iterator[Report]:
    names = settings["names"]
    assert isinstance(names, tuple)
    for call in _calls(program, names):
        edits = (NodeEdit("replace", call.func, "good"),)
        yield Report(call, "`bad` is called.", "Call `good`.", edits=edits, fix_description="Call `good`.")


def _old_call(program: Program, settings: Settings) -> Iterator[Report]:
    for call in _calls(program, ("old",)):
        edits = (NodeEdit("line-before", call, "prepare()"), NodeEdit("replace", call, "new()"))
        yield Report(call, "`old` is called.", "Call `prepare` and `new`.", edits=edits, fix_description="Prepare.")


def _odd_call(program: Program, settings: Settings) -> Iterator[Report]:
    for call in _calls(program, ("odd",)):
        yield Report(call, "`odd` is called.", "", edits=(NodeEdit("after", call, "  # odd"),))


def _useless_fix(program: Program, settings: Settings) -> Iterator[Report]:
    for call in _calls(program, ("stuck",)):
        yield Report(call, "`stuck` is called.", "Stop.", edits=(NodeEdit("after", call, ".again"),))


def _misplaced(program: Program, settings: Settings) -> Iterator[Report]:
    for _ in _calls(program, ("lost",)):
        yield Report(cst.Name("elsewhere"), "Not in the file.", "")


def _crash(program: Program, settings: Settings) -> Iterator[Report]:
    for _ in _calls(program, ("boom",)):
        raise ValueError("no idea")
    yield from ()


def _loop(program: Program, settings: Settings) -> Iterator[Report]:
    for node in _nodes(program):
        if isinstance(node, cst.While):
            yield Report(node, "A while loop.", "Write a for loop.")


FAKE_OPTIONS = (
    Option("names", ("bad",), "the names that are bad"),
    Option("limit", 3, "a number"),
    Option("ratio", 0.5, "another number"),
    Option("strict", False, "a switch"),
    Option("label", "x", "a text"),
    Option("min", 2, "the start of a range"),
    Option("max", 8, "the end of a range"),
)
FAKE_RULES = (
    Rule("DNN901", "bad-call", Severity.ERROR, "S1", _bad_call, FixSafety.SAFE, FAKE_OPTIONS),
    Rule("DNN902", "old-call", Severity.WARNING, "S2", _old_call, FixSafety.UNSAFE),
    Rule("DNN903", "odd-call", Severity.ADVICE, "", _odd_call),
    Rule("DNN904", "boom-call", Severity.ERROR, "", _crash),
    Rule("DNN905", "stuck-call", Severity.ERROR, "", _useless_fix, FixSafety.SAFE),
    Rule("DNN906", "while-loop", Severity.WARNING, "", _loop),
    Rule("DNN907", "lost-call", Severity.ERROR, "", _misplaced),
)


def _row(rule: Rule) -> _table.Row:
    options = tuple((option.name, option.default, option.help) for option in rule.options)
    return (rule.code, rule.name, rule.severity.value, rule.clause, "fake", rule.fix and rule.fix.value, options)


@pytest.fixture
def fake_rules(monkeypatch: pytest.MonkeyPatch) -> tuple[Rule, ...]:
    """Replace the rule set, and the analysis that it needs."""
    monkeypatch.setattr(_table, "TABLE", tuple(_row(rule) for rule in FAKE_RULES))
    monkeypatch.setattr(_table, "load", lambda: FAKE_RULES)
    monkeypatch.setattr(running, "build_program", _FakeProgram)
    return FAKE_RULES


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a text with a file beside the test, or rewrite the file with ``--update-golden``."""

    def compare(name: str, text: str) -> None:
        path = request.path.parent / "golden" / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare
