"""The README tells the truth: its table of rules is the catalogue, its output is what the command prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from dnnlint.rule_docs import read_page
from dnnlint.rules import RuleInfo, rule_index

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
README = os.path.join(ROOT, "README.md")
TABLE = re.compile(r"(<!-- rules: .*? -->\n).*?(<!-- end of rules -->)", re.DOTALL)
OUTPUT = re.compile(r"(<!-- output: dnnlint (?P<arguments>.*?) -->\n```\n).*?(```\n)", re.DOTALL)


ESTIMATE = ("estimate", "examples/language_model/train.py", "--batch", "64", "--gpu", "t4")


def read() -> str:
    """The text of the README."""
    with open(README, encoding="utf-8") as file:
        return file.read()


def rule_table() -> str:
    """The table of rules, from the catalogue and the first sentence of each page."""
    rows = ["| code | name | severity | fix | reports |", "|---|---|---|---|---|"]
    rows += [_row(info) for info in rule_index().values() if info.family != "engine"]
    return "\n".join(rows) + "\n"


def _row(info: RuleInfo) -> str:
    sentence = re.split(r"(?<=[.:])\s", read_page(info).summary)[0].rstrip(".:").replace("|", "\\|")
    return f"| {info.code} | [{info.name}]({info.page}) | {info.severity} | {info.fix or ''} | {sentence} |"


def output_of(arguments: str) -> str:
    """What the command prints, run in the checkout."""
    command = [sys.executable, "-m", "dnnlint", *arguments.split(), "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    return done.stdout


def renewed(text: str) -> str:
    """The README with its generated parts made anew."""
    text = TABLE.sub(lambda match: match[1] + rule_table() + match[2], text)
    return OUTPUT.sub(lambda match: match[1] + output_of(match["arguments"]) + match[3], text)


def test_generated_parts_are_current(request: pytest.FixtureRequest) -> None:
    """Renew them with ``--update-golden``."""
    text = read()
    expected = renewed(text)
    if request.config.getoption("--update-golden") and text != expected:
        with open(README, "w", encoding="utf-8", newline="\n") as file:
            file.write(expected)
        text = expected
    assert text == expected


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(((?!http)[^)#]+)", read()))))
def test_linked_file_exists(target: str) -> None:
    assert os.path.exists(os.path.join(ROOT, target))


def figures_of(report: str) -> str:
    """The part of an estimate that is the same on every machine: peaks and what is alive at them."""
    lines = [line.rstrip() for line in report.splitlines()]
    return "\n".join(lines[lines.index("Peaks") : lines.index("Largest holders")])


def test_estimate_shows_the_figures_of_today() -> None:
    """The report in the README has the bytes that the command prints."""
    pytest.importorskip("torch")
    shown = re.search(r"<!-- estimate -->\n```\n(.*?)```\n", read(), re.DOTALL)
    assert shown is not None
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "dnnlint", *ESTIMATE]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=True)
    assert figures_of(done.stdout) == figures_of(shown[1])
