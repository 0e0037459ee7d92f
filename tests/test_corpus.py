"""The corpus: whole programs written from the rule catalogue alone, one folder a rule.

``# expect: DNN101`` stands on the line that a finding has to point at, within two lines; ``# or: DNN101`` marks another
place of the same file where the same finding is as good. A file without such a mark has to be silent for its rule.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from dnnlint.config.model import Config, Overrides
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import Job, check_file
from dnnlint.rules import rule_index

CORPUS = Path(__file__).parent / "corpus"
PROGRAMS = sorted(CORPUS.glob("DNN*/*.py"))
TOLERANCE_LINES = 2
KNOWN_LIMITS = {
    "DNN101/enter_by_hand": "a context entered by calling __enter__() is not followed",
    "DNN401/partial_loader": "the arguments of functools.partial(DataLoader, ...) are not followed",
}
"""Faults that are missed for a reason that the page of the rule names; the test fails when one is found after all."""
MARK = re.compile(r"# (expect|or): (DNN\d{3})\b")


class Marks(NamedTuple):
    """Line numbers of the marks of one program."""

    expected: tuple[int, ...]
    alternatives: tuple[int, ...]


def read_marks(text: str, code: str) -> Marks:
    """Collect the marks for one rule."""
    lines: dict[str, list[int]] = {"expect": [], "or": []}
    for number, line in enumerate(text.splitlines(), 1):
        for kind, marked in MARK.findall(line):
            assert marked == code, f"line {number} marks {marked} in the folder of {code}"
            lines[kind].append(number)
    return Marks(tuple(lines["expect"]), tuple(lines["or"]))


def reported_lines(path: Path, code: str) -> list[int]:
    """Check one program with one rule; the folder of the tests is no part of the name that the rule sees."""
    selectors = Selectors()
    settings = SettingsResolver(selectors, Overrides(select=(code,))).for_file("train.py", Config(root="."))
    result = check_file(Job("train.py", path.read_bytes(), settings), selectors)
    assert not result.errors
    return [finding.line for finding in result.findings if finding.code == code]


def near(line: int, others: tuple[int, ...] | list[int]) -> bool:
    """Whether a line is within the tolerance of one of the others."""
    return any(abs(line - other) <= TOLERANCE_LINES for other in others)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_program_is_judged_as_marked(path: Path, request: pytest.FixtureRequest) -> None:
    """A rule reports the marked lines of a program and no others."""
    code = path.parent.name
    if code not in rule_index():
        pytest.skip(f"{code} is not in the catalogue yet")
    limit = KNOWN_LIMITS.get(f"{code}/{path.stem}")
    if limit is not None:
        request.applymarker(pytest.mark.xfail(reason=limit, strict=True))
    marks = read_marks(path.read_text(encoding="utf-8"), code)
    lines = reported_lines(path, code)
    alternative_hit = any(near(line, marks.alternatives) for line in lines)
    missed = [] if alternative_hit else [line for line in marks.expected if not near(line, lines)]
    false = [line for line in lines if not near(line, marks.expected + marks.alternatives)]
    assert (missed, false) == ([], [])


def test_every_rule_has_faulty_and_clean_programs() -> None:
    """Four programs that violate a rule and six that do not are the least that says anything about it."""
    faulty: Counter[str] = Counter()
    clean: Counter[str] = Counter()
    for path in PROGRAMS:
        code = path.parent.name
        marks = read_marks(path.read_text(encoding="utf-8"), code)
        assert marks.expected or not marks.alternatives, f"{path} marks an alternative to nothing"
        (faulty if marks.expected else clean)[code] += 1
    assert {code for code in faulty | clean if faulty[code] < 4 or clean[code] < 6} == set()
