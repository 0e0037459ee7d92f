"""The generator of the table of rules."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dnnlint.engine import make_table
from dnnlint.engine.make_table import load_rules, main, render_table, rule_modules
from dnnlint.finding import FixSafety, Severity
from dnnlint.rule import Option, Rule
from dnnlint.rules import RuleInfo
from tests.support import write


def check(*arguments: object) -> None:
    """Stands for the check of a rule; only its module counts here."""


def fake_rule(code: str, name: str) -> Rule:
    """A rule of the family ``engine``, since that is where this module lies."""
    options = (Option("words", ("it's", 'a "word"'), "some words"),)
    return Rule(code, name, Severity.ERROR, "S1", check, FixSafety.SAFE, options)  # type: ignore[arg-type]  # never called


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Modules below dnnlint.rules, by family and name."""
    found: dict[str, object] = {
        "fake.bad_call": SimpleNamespace(RULE=fake_rule("DNN902", "bad-call")),
        "fake.old_call": SimpleNamespace(RULE=fake_rule("DNN901", "old-call")),
        "fake.misnamed": SimpleNamespace(RULE=fake_rule("DNN903", "other-name")),
        "fake.no_rule": SimpleNamespace(),
        "more.bad_call": SimpleNamespace(RULE=fake_rule("DNN902", "bad-call")),
    }
    for name, module in found.items():
        monkeypatch.setitem(sys.modules, f"dnnlint.rules.{name}", module)
    return found


@pytest.mark.usefixtures("modules")
def test_table_holds_what_the_rules_say() -> None:
    """Ordered by code; the text is Python that gives the same values, options with quotes included."""
    found = load_rules(["fake.bad_call", "fake.old_call"])
    namespace: dict[str, object] = {}
    exec(compile(render_table(found), "_table.py", "exec"), namespace)
    table = namespace["TABLE"]
    assert isinstance(table, tuple)
    infos = [RuleInfo(*row) for row in table]
    assert [(info.code, info.name, info.fix) for info in infos] == [
        ("DNN901", "old-call", "safe"),
        ("DNN902", "bad-call", "safe"),
    ]
    assert infos[0].options == (("words", ("it's", 'a "word"'), "some words"),)
    load = namespace["load"]
    assert callable(load)
    assert load() == tuple(rule for _, rule in found)


def test_table_without_rules() -> None:
    """It is still a module."""
    namespace: dict[str, object] = {}
    exec(compile(render_table([]), "_table.py", "exec"), namespace)
    assert namespace["TABLE"] == ()


MISTAKES = {
    "no rule": (["fake.no_rule"], "rules/fake/no_rule.py defines no RULE"),
    "another name": (["fake.misnamed"], "rules/fake/misnamed.py: the rule is named other-name"),
    "a code twice": (["fake.bad_call", "more.bad_call"], "DNN902 is the code of both fake.bad_call and more.bad_call"),
}


@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(("names", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_in_a_rule_is_named(names: list[str], message: str) -> None:
    """Before it reaches the table."""
    with pytest.raises(ValueError, match=message):
        load_rules(names)


def test_modules_are_found_in_families(tmp_path: Path) -> None:
    """Folders without code and private modules hold no rules."""
    write(
        tmp_path,
        dict.fromkeys(("a/__init__.py", "a/x.py", "a/x.md", "a/_help.py", "b/y.md", "__init__.py", "z.py"), ""),
    )
    assert rule_modules(str(tmp_path)) == ["a.x"]


def test_table_is_written_when_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And only said to be old with ``--check``."""
    write(tmp_path, {"_table.py": "old"})
    monkeypatch.setattr(make_table, "rules_folder", lambda: str(tmp_path))
    assert main(["--check"]) == 1
    assert capsys.readouterr().out == "Run python -m dnnlint.engine.make_table.\n"
    assert (tmp_path / "_table.py").read_text() == "old"
    assert [main([]), main([]), main(["--check"])] == [0, 0, 0]
