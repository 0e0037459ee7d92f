"""Faulty programs and their corrected twins, three a rule: over one file, several files, classes and frameworks.

They were written from the rule catalogue by someone who had not read the rules. ``# expect: DNN101`` stands on the line
that a finding has to point at, within two lines; ``# or: DNN101`` marks a line that is as good. ``missed.txt`` lists
the faulty programs that are not found; a program that is found after all has to leave the list.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dnnlint.config.model import Config, Overrides
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.check import CheckOptions, check_targets
from dnnlint.engine.discovery import SUFFIXES, Target
from dnnlint.finding import Finding

PROGRAMS = Path(__file__).parent / "recall"
MISSED = frozenset((PROGRAMS / "missed.txt").read_text().split())
VARIANTS = sorted(folder for folder in PROGRAMS.glob("DNN*/*") if folder.is_dir())
TOLERANCE_LINES = 2
MARK = re.compile(r"# (?:expect|or): (DNN\d{3})\b")


def check(folder: Path, code: str) -> list[Finding]:
    """What one rule finds in the files of a program; the folder of the tests is no part of the names it sees."""
    selectors = Selectors()
    resolver = SettingsResolver(selectors, Overrides(select=(code,)))
    config = Config(str(folder))
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in (*SUFFIXES, ".sh"))
    targets = [Target(str(path), str(path.relative_to(folder)), config, str(folder)) for path in files]
    result = check_targets(targets, selectors, resolver, CheckOptions(1))
    assert not result.errors
    return [finding for finding in result.findings if finding.code == code]


def marks(folder: Path, code: str) -> set[tuple[str, int]]:
    """The lines, with their files, that a finding may point at."""
    return {
        (str(path.relative_to(folder)), number)
        for path in folder.rglob("*")
        if path.is_file()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if code in MARK.findall(line)
    }


@pytest.fixture
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a program outside of this repository, which would count as the project around it."""
    source: Path = request.param
    for path in source.rglob("*"):
        if path.is_file():
            copy = tmp_path / source.name / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    return tmp_path / source.name


@pytest.mark.parametrize(
    ("program", "code"),
    [(v, v.parent.name) for v in VARIANTS],
    indirect=["program"],
    ids=[f"{v.parent.name}/{v.name}" for v in VARIANTS],
)
def test_fault_is_found_and_twin_is_not_reported(program: Path, code: str) -> None:
    """The faulty program is reported at a marked line, unless it is known to be missed; the corrected one is not."""
    wanted = marks(program / "faulty", code)
    assert wanted
    found = {(finding.path, finding.line) for finding in check(program / "faulty", code)}
    is_found = any(path == other and abs(a - b) <= TOLERANCE_LINES for path, a in found for other, b in wanted)
    assert is_found is (f"{code}/{program.name}" not in MISSED)
    assert [(finding.path, finding.line, finding.message) for finding in check(program / "clean", code)] == []
