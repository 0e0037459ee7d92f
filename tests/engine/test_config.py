"""Configuration files: which one governs a file, what they may say, and what the command line overrides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import RunCommand, write

pytestmark = pytest.mark.usefixtures("fake_rules")

CODE = "import torch\nbad()\nold()\nodd()\n"


def codes(dnnlint: RunCommand, *arguments: str) -> list[str]:
    """The codes found in the working folder."""
    run = dnnlint("check", "--format", "json", *arguments)
    assert run.err == ""
    return [finding["code"] for finding in json.loads(run.out)["findings"]]


ALL = ["DNN901", "DNN902", "DNN903"]
SETTINGS = {
    "nothing": ("", ALL),
    "a code": ('select = ["DNN901"]', ["DNN901"]),
    "a name": ('select = ["old-call"]', ["DNN902"]),
    "a family": ('select = ["fake"]', ALL),
    "a prefix": ('select = ["DNN90"]', ALL),
    "every code": ('select = ["ALL"]', ALL),
    "no rule": ("select = []", []),
    "one more": ('select = ["DNN901"]\nextend-select = ["DNN903"]', ["DNN901", "DNN903"]),
    "ignored": ('ignore = ["bad-call"]', ["DNN902", "DNN903"]),
    "one more ignored": ('ignore = ["bad-call"]\nextend-ignore = ["DNN903"]', ["DNN902"]),
    "a narrow selection wins": ('select = ["DNN901"]\nignore = ["DNN9"]', ["DNN901"]),
    "a narrow ignore wins": ('select = ["DNN9"]\nignore = ["DNN901"]', ["DNN902", "DNN903"]),
    "of equals the ignore wins": ('select = ["DNN901"]\nignore = ["DNN901"]', []),
    "switched off": ('[severity]\nDNN901 = "off"', ["DNN902", "DNN903"]),
    "off but one": ('[severity]\nDNN901 = "error"\nfake = "off"', ["DNN901"]),
    "ignored for the file": ('[per-path-ignores]\n"a.py" = ["DNN901"]', ["DNN902", "DNN903"]),
    "ignored for others": ('[per-path-ignores]\n"tests/" = ["ALL"]\n"b.*" = ["ALL"]', ALL),
    "ignored twice": ('[per-path-ignores]\n"*.py" = ["DNN901"]\n"a*" = ["DNN902"]', ["DNN903"]),
    "an option": (
        '[rules.bad-call]\nnames = ["old", "odd"]\nratio = 1\nstrict = true',
        ["DNN901", "DNN902", "DNN901", "DNN903"],
    ),
    "an option by code": ("[rules.DNN901]\nnames = []", ["DNN902", "DNN903"]),
}


@pytest.mark.parametrize(("setting", "found"), SETTINGS.values(), ids=SETTINGS)
def test_setting(setting: str, found: list[str], project: Path, dnnlint: RunCommand) -> None:
    """Each setting decides about the rules as documented."""
    write(project, {"dnnlint.toml": setting, "a.py": CODE})
    assert codes(dnnlint) == found


ARGUMENTS = {
    "select": ("--select=DNN901,DNN902", ["DNN901", "DNN902"]),
    "select what is ignored": ("--select=DNN903", ["DNN903"]),
    "ignore replaces": ("--ignore=DNN901", ["DNN902", "DNN903"]),
    "extend-ignore adds": ("--extend-ignore=DNN901", ["DNN902"]),
    "extend-select is narrow": ("--extend-select=DNN903", ["DNN901", "DNN902"]),
    "isolated": ("--isolated", ALL),
    "another file": ("--config=other.toml", ["DNN902"]),
}


@pytest.mark.parametrize(("argument", "found"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_command_line_wins(argument: str, found: list[str], project: Path, dnnlint: RunCommand) -> None:
    """Against a configuration that ignores DNN903."""
    write(project, {"dnnlint.toml": 'ignore = ["DNN903"]', "other.toml": 'select = ["old-call"]', "a.py": CODE})
    assert codes(dnnlint, argument) == found


def test_rules_may_be_named_in_several_arguments(project: Path, dnnlint: RunCommand) -> None:
    """Repeated options add up, and blanks around names do not matter."""
    write(project, {"a.py": CODE})
    assert codes(dnnlint, "--select", "DNN901, old-call", "--select", "odd-call,") == ALL


NEAREST = {
    "own file": ({"dnnlint.toml": 'select = ["DNN901"]'}, ["DNN901"]),
    "own file with the long name": ({"dnnlint.toml": '[tool.dnnlint]\nselect = ["DNN901"]'}, ["DNN901"]),
    "pyproject": ({"pyproject.toml": '[tool.dnnlint]\nselect = ["DNN901"]'}, ["DNN901"]),
    "own file before pyproject": (
        {"dnnlint.toml": 'select = ["DNN901"]', "pyproject.toml": '[tool.dnnlint]\nselect = ["DNN902"]'},
        ["DNN901"],
    ),
    "nearest": ({"dnnlint.toml": 'select = ["DNN902"]', "pkg/dnnlint.toml": 'select = ["DNN901"]'}, ["DNN901"]),
    "pyproject without the table": (
        {"dnnlint.toml": 'select = ["DNN901"]', "pkg/pyproject.toml": '[project]\nname = "dnnlint-user"'},
        ["DNN901"],
    ),
    "pyproject of others, broken": ({"dnnlint.toml": 'select = ["DNN901"]', "pkg/pyproject.toml": "[["}, ["DNN901"]),
    "byte order mark": ({"dnnlint.toml": b'\xef\xbb\xbfselect = ["DNN901"]'}, ["DNN901"]),
}


@pytest.mark.parametrize(("files", "found"), NEAREST.values(), ids=NEAREST)
def test_nearest_file_governs(
    files: dict[str, str | bytes], found: list[str], project: Path, dnnlint: RunCommand
) -> None:
    """The nearest configuration upwards from the checked file wins as a whole."""
    write(project, {**files, "pkg/a.py": CODE})
    assert codes(dnnlint, "pkg") == found


def test_each_file_has_its_own_configuration(project: Path, dnnlint: RunCommand) -> None:
    """Also for what fails the run."""
    write(project, {"one/a.py": "import torch\nodd()\n", "two/a.py": "import torch\nodd()\n"})
    write(project, {"one/dnnlint.toml": 'fail-on = "error"', "two/dnnlint.toml": 'fail-on = "advice"'})
    assert [dnnlint("check", path).code for path in ("one", "two", ".")] == [0, 1, 1]
    assert dnnlint("check", "two", "--fail-on", "warning").code == 0


ERRORS = {
    "key": ("selct = []", 'unknown key "selct" (did you mean "select"?)'),
    "rule": ('select = ["DNN991"]', 'select: unknown rule "DNN991" (did you mean "DNN901"?)'),
    "rule name": ('ignore = ["bad-cal"]', 'ignore: unknown rule "bad-cal" (did you mean "bad-call"?)'),
    "nothing like it": ('ignore = ["zzzzzz"]', 'ignore: unknown rule "zzzzzz"'),
    "lower case": ('select = ["dnn901"]', 'select: unknown rule "dnn901"'),
    "list": ('select = "DNN901"', "select: expected a list of strings, found a string"),
    "list of strings": ("select = [1]", "select: expected a list of strings, found a list with an integer"),
    "boolean": ('respect-gitignore = "yes"', "respect-gitignore: expected true or false, found a string"),
    "string": ("cache-dir = 1", "cache-dir: expected a string, found an integer"),
    "severity": ('fail-on = "warn"', 'fail-on: "warn" is none of error, warning, advice (did you mean "warning"?)'),
    "severity of a rule": (
        '[severity]\nDNN901 = "none"',
        'severity: DNN901: "none" is none of error, warning, advice, off',
    ),
    "severity of no rule": ('[severity]\nDNN909 = "off"', 'severity: unknown rule "DNN909"'),
    "table": ("severity = 1", "severity: expected a table, found an integer"),
    "table of a path": ("per-path-ignores = []", "per-path-ignores: expected a table, found a list"),
    "pattern of a path": ('[per-path-ignores]\n"!" = []', 'per-path-ignores: invalid pattern "!"'),
    "rule of a path": ('[per-path-ignores]\n"a" = ["x"]', 'per-path-ignores: a: unknown rule "x"'),
    "options of no rule": ("[rules.bad-cll]\nx = 1", 'rules: unknown rule "bad-cll" (did you mean "bad-call"?)'),
    "unknown option": ("[rules.bad-call]\nlimt = 1", 'rules: bad-call: unknown key "limt" (did you mean "limit"?)'),
    "no options": ("[rules.old-call]\nx = 1", "rules: old-call: this rule has no options"),
    "option of a wrong type": ('[rules.bad-call]\nlimit = "3"', "bad-call: limit: expected an integer, found a string"),
    "negative number": (
        "[rules.bad-call]\nlimit = -1",
        "bad-call: limit: expected a number that is not negative, found -1",
    ),
    "range above its end": ("[rules.bad-call]\nmin = 9", "bad-call: min: the range from min = 9 to max = 8 is empty"),
    "range below its start": ("[rules.bad-call]\nmax = 1", "bad-call: max: the range from min = 2 to max = 1 is empty"),
    "empty name of the cache": ('cache-dir = ""', 'cache-dir: "" is not a folder of its own'),
    "cache in the project itself": ('cache-dir = "."', 'cache-dir: "." is not a folder of its own'),
    "cache around the project": ('cache-dir = "x/../.."', 'cache-dir: "x/../.." is not a folder of its own'),
    "cache in the root": ('cache-dir = "/"', 'cache-dir: "/" is not a folder of its own'),
    "boolean for a number": ("[rules.bad-call]\nlimit = true", "limit: expected an integer, found a boolean"),
    "boolean for a fraction": ("[rules.bad-call]\nratio = true", "ratio: expected a number, found a boolean"),
    "number for a boolean": ("[rules.bad-call]\nstrict = 1", "strict: expected a boolean, found an integer"),
    "date": ("[rules.bad-call]\nlabel = 2020-01-01", "label: expected a string, found a date"),
    "table for a text": ("[rules.bad-call.label]\nx = 1", "label: expected a string, found a table"),
    "string for a list": ('[rules.bad-call]\nnames = "x"', "names: expected a list of strings, found a string"),
    "TOML": ("select = [", "not valid TOML"),
    "UTF-8": (b"# \xff", "not valid TOML"),
    "a table that is none": ("tool.dnnlint = 1", "tool.dnnlint: expected a table"),
}


@pytest.mark.parametrize(("setting", "message"), ERRORS.values(), ids=ERRORS)
def test_bad_configuration(setting: str | bytes, message: str, project: Path, dnnlint: RunCommand) -> None:
    """One line that names the file, the key and the nearest valid word, and exit code 2."""
    write(project, {"dnnlint.toml": setting, "a.py": CODE})
    run = dnnlint("check")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("dnnlint: error: dnnlint.toml: ")
    assert message in run.err
    assert run.err.count("\n") == 1


USAGE = {
    "unknown rule": (("--select", "DNN90x"), '--select: unknown rule "DNN90x"'),
    "unknown ignored rule": (("--ignore", "x"), '--ignore: unknown rule "x"'),
    "unknown further rule": (("--extend-select", "x"), '--extend-select: unknown rule "x"'),
    "unknown further ignored rule": (("--extend-ignore", "x"), '--extend-ignore: unknown rule "x"'),
    "no such configuration": (("--config", "no.toml"), "no.toml: cannot read the configuration"),
    "configuration without the table": (("--config", "pyproject.toml"), "pyproject.toml: no table [tool.dnnlint]"),
    "both": (("--config", "pyproject.toml", "--isolated"), "--config and --isolated exclude each other"),
    "processes": (("-j", "0"), "expected a number of processes"),
    "option": (("--selec", "DNN901"), "unrecognized arguments"),
    "format": (("--format", "xml"), "invalid choice"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_bad_command_line(arguments: tuple[str, ...], message: str, project: Path, dnnlint: RunCommand) -> None:
    """What cannot be carried out ends with exit code 2 and a message."""
    write(project, {"pyproject.toml": "[project]\n# dnnlint\n", "a.py": CODE})
    run = dnnlint("check", *arguments)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err


def test_severity_is_overridden(project: Path, dnnlint: RunCommand) -> None:
    """The configured severity replaces that of the rule and decides about the exit code."""
    write(project, {"dnnlint.toml": '[severity]\nfake = "advice"\nDNN903 = "error"', "a.py": CODE})
    run = dnnlint("check", "--format", "json")
    found = {finding["code"]: finding["severity"] for finding in json.loads(run.out)["findings"]}
    assert found == {"DNN901": "advice", "DNN902": "advice", "DNN903": "error"}
    assert run.code == 1
    assert dnnlint("check", "--ignore", "DNN903").code == 0


def test_unchecked_file_is_never_green(project: Path, dnnlint: RunCommand) -> None:
    """A narrow selection keeps the syntax error; naming it among the ignored ones does not."""
    write(project, {"a.py": "def f(:\n"})
    assert codes(dnnlint, "--select", "DNN901") == ["DNN000"]
    assert codes(dnnlint, "--ignore", "ALL") == ["DNN000"]
    assert codes(dnnlint, "--ignore", "syntax-error") == []
