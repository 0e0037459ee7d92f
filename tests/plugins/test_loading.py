"""Loading plug-ins: only those that are named, and a clear error for one that cannot take part."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.plugins.conftest import HEAD, RULE, SOURCE, Install
from tests.support import RunCommand, python, write

BAD = "import torch\n\ntorch.bad()\n"
NAMED = 'plugins = ["house"]\n'


def test_plugin_that_is_not_named_is_not_imported(dnnlint: RunCommand, project: Path, install: Install) -> None:
    """Being installed is no reason to run."""
    install()
    write(project, {"a.py": BAD})
    assert dnnlint("check", "a.py").code == 0
    assert "rules_of_house" not in sys.modules


@pytest.mark.parametrize(
    ("attribute", "source"),
    [
        pytest.param("", SOURCE, id="module"),
        pytest.param("RULE", HEAD + RULE, id="rule"),
        pytest.param("LIST", HEAD + RULE + "LIST = (RULE,)\n", id="list"),
    ],
)
def test_forms_of_an_entry_point(
    attribute: str, source: str, dnnlint: RunCommand, project: Path, install: Install
) -> None:
    """An entry point may name a module with RULES, a rule, or a list of rules."""
    install(source=source, attribute=attribute)
    write(project, {"a.py": BAD, "dnnlint.toml": NAMED})
    run = dnnlint("check", "--format", "concise", "a.py")
    assert (run.code, run.err) == (1, "")
    assert "a.py:3:1: error ABC101" in run.out


def test_command_line_loads_a_plugin(dnnlint: RunCommand, project: Path, install: Install) -> None:
    """``--plugin`` adds to whatever the configuration says, also where none is read."""
    install()
    write(project, {"a.py": BAD})
    assert "ABC101" in dnnlint("check", "--isolated", "--plugin", "house", "--select", "ABC", "a.py").out


def test_plugin_of_a_nested_project_stays_there(dnnlint: RunCommand, project: Path, install: Install) -> None:
    """The rules run only on the files whose configuration names them, in whichever order the files come."""
    install()
    noqa = "import torch\n\ntorch.bad()  # noqa: ABC101\n"
    write(project, {"a/dnnlint.toml": NAMED, "a/a.py": BAD, "b/dnnlint.toml": "", "b/b.py": BAD, "b/c.py": noqa})
    for order in (("a", "b"), ("b", "a")):
        run = dnnlint("check", "--no-cache", "--format", "concise", *order)
        assert [line.split(":")[0] for line in run.out.splitlines() if "ABC101" in line] == [str(Path("a/a.py"))]
        assert "DNN00" not in run.out


def two(rule: str, other: str) -> str:
    return HEAD + RULE + f"OTHER = {rule}\nRULES = {other}\n"


TWICE = 'Rule("ABC102", "bad-house-call", Severity.ERROR, "", check)'
PREFIX = 'Rule("ABD101", "other-call", Severity.ERROR, "", check)'
INVALID = [
    pytest.param(HEAD + RULE, "is a module without RULES", id="no-rules"),
    pytest.param(HEAD + "RULES = []\n", "has no rules", id="empty"),
    pytest.param(HEAD + "RULES = 3\n", "is no rule, list of rules or module with RULES: int", id="number"),
    pytest.param(HEAD + "RULES = [check]\n", "lists something that is no rule: function", id="no-rule"),
    pytest.param("import nothing_like_it\n", "cannot be imported: ModuleNotFoundError", id="import"),
    pytest.param("raise SystemExit(0)\n", "cannot be imported: SystemExit", id="exit"),
    pytest.param("def :\n", "cannot be imported: SyntaxError", id="syntax"),
    pytest.param(SOURCE.replace("API = 1", "API = 0"), "is written for version 0 of the interface", id="old"),
    pytest.param(SOURCE.replace("DNNLINT_API = 1", ""), "has no DNNLINT_API", id="no-version"),
    pytest.param(SOURCE.replace("ABC101", "DNN999"), "the prefix DNN is that of the built-in", id="own-prefix"),
    pytest.param(SOURCE.replace("ABC101", "AB1"), "has the code 'AB1'", id="code"),
    pytest.param(SOURCE.replace('"bad-house-call"', '"Bad call"'), "has the name 'Bad call'", id="name"),
    pytest.param(SOURCE.replace("Severity.ERROR", '"error"'), "something as severity", id="severity"),
    pytest.param(SOURCE.replace("(CALLS,)", "(3,)"), "something as options", id="options"),
    pytest.param(SOURCE.replace('"", check', '"", 3'), "something as check", id="check"),
    pytest.param(SOURCE.replace("bad-house-call", "missing-grad-scaler"), "which dnnlint has already", id="built-in"),
    pytest.param(two(TWICE, "[RULE, OTHER]"), "gives bad-house-call twice", id="twice"),
    pytest.param(two(PREFIX, "[RULE, OTHER]"), "has several prefixes: ABC, ABD", id="prefixes"),
]


@pytest.mark.parametrize(("source", "problem"), INVALID)
def test_invalid_plugin_is_a_usage_error(
    source: str, problem: str, dnnlint: RunCommand, project: Path, install: Install
) -> None:
    """The message names the file, the key and the plug-in; nothing is checked."""
    install(source=source)
    write(project, {"a.py": BAD, "dnnlint.toml": NAMED})
    run = dnnlint("check", "a.py")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith('dnnlint: error: dnnlint.toml: plugins: plug-in "house" ')
    assert problem in run.err


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        pytest.param(SOURCE, 'plug-ins "house" and "garden" both have the prefix ABC', id="prefix"),
        pytest.param(
            SOURCE.replace("ABC", "XYZ"),
            'plug-in "garden" uses bad-house-call, which plug-in "house" has already',
            id="name",
        ),
    ],
)
def test_plugins_do_not_get_in_each_others_way(
    other: str, problem: str, dnnlint: RunCommand, project: Path, install: Install
) -> None:
    """Of two plug-ins with one prefix or name neither wins, in one configuration or in two of one run."""
    install()
    install("garden", other)
    write(project, {"a/a.py": BAD, "b/b.py": BAD, "a/dnnlint.toml": 'plugins = ["house", "garden"]\n'})
    run = dnnlint("check", "a")
    assert (run.code, run.err) == (2, f"dnnlint: error: {Path('a/dnnlint.toml')}: plugins: {problem}\n")
    write(project, {"a/dnnlint.toml": NAMED, "b/dnnlint.toml": 'plugins = ["garden"]\n'})
    run = dnnlint("check", "a", "b")
    assert (run.code, run.err) == (2, f"dnnlint: error: {problem}\n")


def test_unknown_plugin_is_a_usage_error(dnnlint: RunCommand, project: Path, install: Install) -> None:
    """With the nearest name that is installed."""
    install()
    run = dnnlint("check", "--plugin", "hous", ".")
    assert run.code == 2
    assert run.err == 'dnnlint: error: --plugin: plug-in "hous" is not installed (did you mean "house"?)\n'


def test_name_of_two_distributions_is_a_usage_error(dnnlint: RunCommand, project: Path, install: Install) -> None:
    """Which of them would run must not depend on the order of the path."""
    install()
    other = install("other")
    (other / "rules_of_other-1.0.dist-info/entry_points.txt").write_text("[dnnlint.rules]\nhouse = rules_of_other\n")
    run = dnnlint("check", "--plugin", "house", ".")
    assert run.code == 2
    assert 'plug-in "house" is offered by several distributions: rules_of_house, rules_of_other' in run.err


def test_list_of_plugins_has_a_type(dnnlint: RunCommand, project: Path) -> None:
    """A single name is not a list."""
    write(project, {"a.py": BAD, "dnnlint.toml": 'plugins = "house"\n'})
    run = dnnlint("check", "a.py")
    assert (run.code, run.err) == (
        2,
        "dnnlint: error: dnnlint.toml: plugins: expected a list of strings, found a string\n",
    )


def test_check_without_plugins_looks_for_none(project: Path) -> None:
    """Looking for entry points would take longer than the rest of a start."""
    write(project, {"a.py": BAD, "dnnlint.toml": "plugins = []\n"})
    code = "import sys; from dnnlint.cli import main; main(['check', 'a.py']); print(*sys.modules)"
    modules = python("-c", code, cwd=project).stdout.split()
    assert "dnnlint.config.parse" in modules
    assert {"dnnlint.plugins", "importlib.metadata"} & set(modules) == set()
