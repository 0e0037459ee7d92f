"""Rules of plug-ins take part in everything that built-in rules take part in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dnnlint.plugins import load_plugin
from tests.plugins.conftest import SOURCE, Install
from tests.support import RunCommand, python, write

BAD = "import torch\n\ntorch.bad()\n"
NAMED = 'plugins = ["house"]\n'
ONLY = NAMED + 'select = ["ABC"]\n'
PAGE = "# bad-house-call (ABC101)\n\n## What it does\n\nReports `torch.bad`.\n"


@pytest.fixture
def site(install: Install) -> Path:
    """The plug-in with its page."""
    folder = install()
    write(folder, {"bad_house_call.md": PAGE})
    return folder


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param("", [("ABC101", "error")], id="default"),
        pytest.param('select = ["ABC"]', [("ABC101", "error")], id="prefix"),
        pytest.param('select = ["bad-house-call"]', [("ABC101", "error")], id="name"),
        pytest.param('select = ["house"]', [("ABC101", "error")], id="family"),
        pytest.param('select = ["DNN"]', [], id="not-selected"),
        pytest.param('ignore = ["ABC1"]', [], id="ignored"),
        pytest.param('[severity]\nABC101 = "advice"', [("ABC101", "advice")], id="severity"),
        pytest.param('[severity]\nhouse = "off"', [], id="off"),
        pytest.param('[per-path-ignores]\n"a.py" = ["house"]', [], id="path"),
        pytest.param('[rules.bad-house-call]\ncalls = ["torch.good"]', [], id="option"),
        pytest.param('[rules.ABC101]\ncalls = ["torch.bad"]', [("ABC101", "error")], id="option-by-code"),
    ],
)
def test_settings_hold(
    config: str, expected: list[tuple[str, str]], dnnlint: RunCommand, project: Path, site: Path
) -> None:
    """Every way to choose and to set a rule, wherever ``plugins`` stands in the file."""
    write(project, {"a.py": BAD, "dnnlint.toml": NAMED + config})
    run = dnnlint("check", "--format", "json", "a.py")
    assert run.err == ""
    assert [(item["code"], item["severity"]) for item in json.loads(run.out)["findings"]] == expected


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        pytest.param('[rules.bad-house-call]\ncall = ["x"]', 'unknown key "call" (did you mean "calls"?)', id="option"),
        pytest.param('[rules.bad-house-call]\ncalls = "x"', "expected a list of strings", id="type"),
        pytest.param('select = ["ABC9"]', 'unknown rule "ABC9"', id="code"),
    ],
)
def test_settings_are_checked(config: str, problem: str, dnnlint: RunCommand, project: Path, site: Path) -> None:
    """What a plug-in does not know is an error."""
    write(project, {"a.py": BAD, "dnnlint.toml": NAMED + config})
    run = dnnlint("check", "a.py")
    assert run.code == 2
    assert problem in run.err


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        pytest.param("# noqa: ABC101", [], id="noqa"),
        pytest.param("# noqa: E501, abc101", [], id="noqa-list"),
        pytest.param("# dnnlint: ignore[bad-house-call]", [], id="name"),
        pytest.param("# dnnlint: ignore[ABC1]", [], id="prefix"),
        pytest.param("# noqa: ABD101", ["ABC101"], id="other-tool"),
        pytest.param("# noqa: ABC999", ["ABC101", "DNN002"], id="unknown"),
    ],
)
def test_comments_silence(comment: str, codes: list[str], dnnlint: RunCommand, project: Path, site: Path) -> None:
    """Codes with the prefix of a loaded plug-in are ours, other codes those of other tools."""
    write(project, {"a.py": f"import torch\n\ntorch.bad()  {comment}\n", "dnnlint.toml": NAMED})
    run = dnnlint("check", "--format", "json", "a.py")
    assert [item["code"] for item in json.loads(run.out)["findings"]] == codes


def test_comment_that_silences_nothing_is_reported(dnnlint: RunCommand, project: Path, site: Path) -> None:
    """Where the plug-in is loaded; without it the comment is nobody's business."""
    write(project, {"a.py": "import torch\n\ntorch.good()  # noqa: ABC101\n"})
    assert "DNN001" in dnnlint("check", "--plugin", "house", "a.py").out
    assert "DNN001" not in dnnlint("check", "a.py").out


def test_json_and_sarif_describe_the_rule(dnnlint: RunCommand, project: Path, site: Path) -> None:
    """The address is the one that the distribution names, the help is the page."""
    write(project, {"a.py": BAD, "dnnlint.toml": ONLY})
    (finding,) = json.loads(dnnlint("check", "--format", "json", "a.py").out)["findings"]
    assert (finding["name"], finding["url"]) == ("bad-house-call", "https://example.org/docs")
    assert finding["fix"]["safety"] == "safe"
    (run,) = json.loads(dnnlint("check", "--format", "sarif", "a.py").out)["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert (rule["id"], rule["help"]["markdown"], rule["properties"]["tags"]) == ("ABC101", PAGE, ["house"])


def test_rule_verb_shows_the_page(dnnlint: RunCommand, project: Path, site: Path) -> None:
    """Of a plug-in that the project or the command line names, also where another setting is wrong."""
    assert dnnlint("rule", "ABC101").code == 2
    shown = dnnlint("rule", "--plugin", "house", "ABC101")
    assert shown.out == f"ABC101 bad-house-call: error, family house, safe fix\n\n{PAGE}"
    write(project, {"dnnlint.toml": NAMED + 'select = ["nothing-like-it"]\n'})
    assert dnnlint("rule", "bad-house-call").out == shown.out
    assert "ABC101  error    house         bad-house-call [*]\n" in dnnlint("rule", "--all").out
    (option,) = json.loads(dnnlint("rule", "--format", "json", "ABC101").out)["options"]
    assert option == {"name": "calls", "default": ["torch.bad"], "help": "What is bad."}


def test_fix_is_applied(dnnlint: RunCommand, project: Path, site: Path) -> None:
    """As those of built-in rules, with the finding gone afterwards."""
    write(project, {"a.py": BAD, "dnnlint.toml": ONLY})
    assert dnnlint("check", "--fix", "a.py").code == 0
    assert (project / "a.py").read_text() == "import torch\n\ntorch.good()\n"


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes_load_the_plugin(start: str, project: Path, site: Path) -> None:
    """A process that imports everything anew finds the plug-in by its name."""
    write(project, {"dnnlint.toml": ONLY, **{f"{name}.py": BAD for name in "abcdef"}})
    code = (
        "import multiprocessing, sys\nfrom dnnlint.cli import main\n"
        f"if __name__ == '__main__':\n    sys.path.insert(0, {str(site)!r})\n"
        f"    multiprocessing.set_start_method({start!r})\n    main(['check', '--jobs', '2', '--no-cache', '.'])\n"
    )
    write(site, {"start.py": code})
    run = python(str(site / "start.py"), cwd=project)
    assert (run.stdout.count("ABC101"), run.stderr) == (6, "")


def test_cache_knows_version_and_sources(dnnlint: RunCommand, project: Path, install: Install) -> None:
    """An answer holds for the very plug-in that gave it."""
    site = install()
    write(project, {"a.py": BAD, "dnnlint.toml": ONLY})

    def cached() -> bool:
        load_plugin.cache_clear()
        return "1 of 1 files answered from the cache" in dnnlint("check", "--verbose", "a.py").err

    assert [cached(), cached()] == [False, True]
    write(site, {"rules_of_house.py": SOURCE + "# changed\n"})
    assert [cached(), cached()] == [False, True]
    metadata = site / "rules_of_house-1.0.dist-info/METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 1.0", "Version: 1.1"))
    assert [cached(), cached()] == [False, True]


def test_files_of_one_program_report_each_call_once(dnnlint: RunCommand, project: Path, site: Path) -> None:
    """A rule sees the calls of all linked files; the file that a call stands in reports it."""
    helper = "import torch\n\n\ndef run():\n    torch.bad()\n"
    write(project, {"a.py": "import torch\nfrom b import run\n\nrun()\n", "b.py": helper, "dnnlint.toml": ONLY})
    for arguments in ((), (), ("--no-cache", "--jobs", "2")):
        found = json.loads(dnnlint("check", "--format", "json", *arguments, ".").out)["findings"]
        assert [(item["path"], item["line"]) for item in found] == [("b.py", 5)]


CRASHES = [
    pytest.param("    raise ValueError('no idea')\n    yield", "ValueError: no idea (rules_of_house.py:8)", id="raise"),
    pytest.param("    raise SystemExit(0)\n    yield", "SystemExit", id="exit"),
    pytest.param("    yield from check(program, settings)", "RecursionError", id="recursion"),
    pytest.param("    return 3", "TypeError", id="no-generator"),
    pytest.param("    yield 'here'", "expected a report, found str", id="no-report"),
    pytest.param("    yield Report(None, 'A.', 'B.')", "a report holds a NoneType", id="node"),
    pytest.param("    yield Report(program.module, ['A.'], 'B.')", "a report holds a list", id="message"),
    pytest.param("    yield Report(program.module, 'A.', 'B.', edits=(3,))", "a report holds a int", id="edit"),
    pytest.param("    yield Report(program.module, 'A.', 'B.', severity=7)", "7 is not a valid Severity", id="level"),
]


@pytest.mark.parametrize(("body", "problem"), CRASHES)
def test_crash_is_reported_by_name(
    body: str, problem: str, dnnlint: RunCommand, project: Path, install: Install
) -> None:
    """The other findings are still there, and the exit code says that something is missing."""
    head, _, rest = SOURCE.partition("    for call")
    install(source=f"{head}{body}\n\n\n{rest[rest.index('CALLS') :]}")
    write(project, {"a.py": "import torch\n\nscaler = torch.cuda.amp.GradScaler()\n", "dnnlint.toml": NAMED})
    without = dnnlint("check", "--isolated", "--no-cache", "a.py").out
    run = dnnlint("check", "a.py")
    assert run.code == 2
    assert run.err.startswith("dnnlint: error: a.py: rule bad-house-call (ABC101) of plug-in house crashed: ")
    assert problem in run.err
    assert run.out == without
    assert "DNN107" in without
