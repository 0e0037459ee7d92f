"""docs/spec.md tells the truth: every clause is covered, and its examples print what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dnnlint.rules import rule_index
from docs.make_spec import PAGE, Clause, Example, can_run, is_comparable, output_of, read_clauses, recorded, render

ROOT = Path(__file__).parent.parent
CLAUSES = read_clauses()
IDS = [clause.id for clause in CLAUSES]
CITED = re.compile(r'\b(S\d\.\d(?:\.\d[a-c]?)?)"')


def read() -> str:
    """The committed page."""
    return PAGE.read_text(encoding="utf-8")


def test_page_is_current(request: pytest.FixtureRequest) -> None:
    """Renew it with ``--update-golden``; estimates are renewed where PyTorch is installed."""
    text = read()
    expected = render(text, is_comparable)
    if request.config.getoption("--update-golden") and text != expected:
        PAGE.write_text(expected, encoding="utf-8", newline="\n")
        text = expected
    assert text == expected


def test_clauses_are_named_once() -> None:
    assert len(set(IDS)) == len(IDS)


def test_rules_cite_known_clauses() -> None:
    """A rule without a clause is one of the engine's own."""
    unknown = [info.code for info in rule_index().values() if info.family != "engine" and info.clause not in IDS]
    assert unknown == []


@pytest.mark.parametrize("clause", CLAUSES, ids=IDS)
def test_clause_is_covered(clause: Clause) -> None:
    """What no rule and no verb covers says what is left to people."""
    assert clause.rules or clause.verbs or clause.remains


@pytest.mark.parametrize("verb", ["doctor", "monitor"])
def test_verb_is_listed_with_the_clauses_that_it_cites(verb: str) -> None:
    sources = (ROOT / "dnnlint" / verb).rglob("*.py")
    cited = {clause for file in sources for clause in CITED.findall(file.read_text(encoding="utf-8"))}
    listed = {clause.id for clause in CLAUSES if verb in clause.verbs}
    assert cited - listed == set()
    assert cited


@pytest.mark.parametrize("clause", CLAUSES, ids=IDS)
def test_example_has_output(clause: Clause) -> None:
    """Also where it cannot be run again: an estimate without PyTorch, the report of another machine."""
    assert recorded(read(), clause)


def labels_of(report: str) -> list[str]:
    """The rows of a table of ``dnnlint doctor``, without what was found."""
    return [line.split("│")[1].strip() for line in report.splitlines() if line.startswith("│")]


@pytest.mark.parametrize("clause", [clause for clause in CLAUSES if clause.example.machine], ids=lambda row: row.id)
def test_report_of_a_machine_has_the_rows_of_today(clause: Clause) -> None:
    assert labels_of(output_of(clause.example)) == labels_of(recorded(read(), clause))


def test_example_that_prints_nothing_is_an_error() -> None:
    """A page without output would look like a rule without findings."""
    with pytest.raises(RuntimeError, match="no line matches"):
        output_of(Example("dnnlint monitor examples/monitor/healthy.csv", show="overheated-gpu"))


@pytest.mark.skipif(can_run(Example("dnnlint estimate x")), reason="PyTorch is installed")
def test_estimate_keeps_its_record_without_torch() -> None:
    clause = next(clause for clause in CLAUSES if clause.example.needs_torch)
    page = f"## {clause.id} {clause.title}\n\n```console\n{clause.example.heading}\nas recorded\n```\n"
    assert recorded(render(page, lambda example: False), clause) == "as recorded\n"
