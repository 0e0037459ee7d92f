"""Running rules: a node is reported once for each rule, however often the rule meets it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
import pytest

from dnnlint import rules as catalogue
from dnnlint.config.model import RuleSettings
from dnnlint.engine.analyse import NO_PROJECT
from dnnlint.engine.running import run_rules
from dnnlint.finding import Severity
from dnnlint.program import Program
from dnnlint.rule import Report, Rule, Settings


def _each_call_twice(program: Program, settings: Settings) -> Iterator[Report]:
    for turn in ("first", "second"):
        for call in program.facts.calls:
            yield Report(call.node, f"The {turn} report.", "")


def test_node_is_reported_once_by_each_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first report of a node counts; another rule may report the same node."""
    rules = [Rule(code, code.lower(), Severity.ERROR, "", _each_call_twice) for code in ("DNN901", "DNN902")]
    monkeypatch.setattr(catalogue, "all_rules", lambda: rules)
    settings = RuleSettings({"DNN901": None, "DNN902": None}, {}, "")
    run = run_rules(cst.parse_module("f()\ng()\n"), "f()\ng()\n", settings, NO_PROJECT)
    assert [(entry.rule.code, entry.report.message) for entry in run.reports] == [
        (code, "The first report.") for code in ("DNN901", "DNN901", "DNN902", "DNN902")
    ]
    assert run.crashes == ()
