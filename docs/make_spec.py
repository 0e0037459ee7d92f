"""Write docs/spec.md: each clause of the specification, what covers it, and an example that is run.

    python docs/make_spec.py

runs every example that can be run here: estimates need PyTorch, and keep what was recorded without it.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from dnnlint.rules import RuleInfo, rule_index

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "spec.md"
WIDTH = 260
"""Columns of a report: the rows of a table stay on one line."""

INTRODUCTION = """\
# The specification, clause by clause

dnnlint implements "深度神经网络的资源管理规范", a specification of resource management for deep neural
networks. This page has for each clause what it asks, the rules of `dnnlint check` and the verbs that cover it, and what
dnnlint does where the clause is wrong or outdated. `dnnlint rule CODE` names the clause of a rule.

The examples are run from the root of the repository; a long report is cut to the lines that concern the clause. What
`dnnlint doctor` prints belongs to the machine it ran on. `python docs/make_spec.py` writes this page from
`spec_clauses.yaml` and the catalogue of rules.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A command line, and the part of its output that the page shows."""

    run: str
    input: str = ""
    show: str = ""
    machine: bool = False

    @property
    def needs_torch(self) -> bool:
        """Whether the command traces a model."""
        return self.run.startswith("dnnlint estimate")

    @property
    def heading(self) -> str:
        """The command as typed, after what it reads from standard input."""
        return f"$ {self.run}" + (" < train.py" if self.input else "")


@dataclass(frozen=True, slots=True)
class Clause:
    """A row of the specification."""

    id: str
    title: str
    asks: str
    example: Example
    verbs: dict[str, str] = field(default_factory=dict)
    instead: str = ""
    remains: str = ""

    @property
    def rules(self) -> list[RuleInfo]:
        """The rules that cite the clause."""
        return [info for info in rule_index().values() if info.clause == self.id]


def read_clauses() -> list[Clause]:
    """The clauses in the order of the specification."""
    rows = yaml.safe_load((DOCS / "spec_clauses.yaml").read_text(encoding="utf-8"))
    return [Clause(**{**row, "example": Example(**row["example"])}) for row in rows]


@cache
def report_of(command: str, text: str) -> str:
    """Everything that a command prints, run in the root of the repository."""
    arguments = shlex.split(command)[1:]
    arguments += ["--no-cache"] if arguments[0] == "check" else []
    environment = {**os.environ, "COLUMNS": str(WIDTH), "NO_COLOR": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "dnnlint", *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        cwd=DOCS.parent,
        env=environment,
        check=False,
    )
    if not done.stdout:
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def output_of(example: Example) -> str:
    """The lines that the page shows of an example."""
    lines = [line.rstrip() for line in report_of(example.run, example.input).splitlines()]
    shown = [line for line in lines if re.search(example.show, line)]
    if not shown:
        raise RuntimeError(f"{example.run}: no line matches {example.show!r}")
    return "\n".join(shown) + "\n"


def can_run(example: Example) -> bool:
    """Whether what the example needs is installed."""
    return not example.needs_torch or importlib.util.find_spec("torch") is not None


def is_comparable(example: Example) -> bool:
    """Whether the example can be run, and prints the same on every machine."""
    return can_run(example) and not example.machine


def recorded(page: str, clause: Clause) -> str:
    """The output that a page has for the example of a clause; empty when it has none."""
    section = re.search(rf"^## {re.escape(clause.id)} .*?(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    pattern = rf"^```console\n{re.escape(clause.example.heading)}\n(.*?)^```$"
    match = re.search(pattern, section[0], re.DOTALL | re.MULTILINE) if section else None
    return match[1] if match else ""


def render(previous: str, runs: Callable[[Example], bool]) -> str:
    """The page; an example that is not run keeps the output of the previous page."""
    clauses = read_clauses()
    commands = {(clause.example.run, clause.example.input) for clause in clauses if runs(clause.example)}
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(lambda command: report_of(*command), commands))
    sections = [_section(clause, previous, runs) for clause in clauses]
    return "\n".join([INTRODUCTION, _overview(clauses), *sections])


def _overview(clauses: list[Clause]) -> str:
    rows = ["| clause | | covered by |", "|---|---|---|"]
    rows += [f"| [{clause.id}](#{_anchor(clause)}) | {clause.title} | {_covering(clause)} |" for clause in clauses]
    return "\n".join(rows) + "\n"


def _anchor(clause: Clause) -> str:
    """The address that GitHub gives a heading: lower case, no punctuation, hyphens for spaces."""
    return re.sub(r"[^\w -]", "", f"{clause.id} {clause.title}".lower()).replace(" ", "-")


def _covering(clause: Clause) -> str:
    rules = [f"[{info.code}](../{info.page})" for info in clause.rules]
    return ", ".join([*rules, *(f"`{verb}`" for verb in clause.verbs)])


def _section(clause: Clause, previous: str, runs: Callable[[Example], bool]) -> str:
    output = output_of(clause.example) if runs(clause.example) else recorded(previous, clause)
    facts = [
        f"Asks: {clause.asks}",
        f"Instead: {clause.instead}",
        *_coverage(clause),
        f"Left to people: {clause.remains}",
    ]
    lines = [fact for fact in facts if not fact.endswith(": ")]
    text = "".join(f"- {line}\n" for line in lines)
    source = f"```python\n{clause.example.input}```\n\n" if clause.example.input else ""
    return f"## {clause.id} {clause.title}\n\n{text}\n{source}```console\n{clause.example.heading}\n{output}```\n"


def _coverage(clause: Clause) -> list[str]:
    rules = ", ".join(f"[{info.name}](../{info.page}) ({info.code})" for info in clause.rules)
    verbs = [f"`dnnlint {verb}` {text}." for verb, text in clause.verbs.items()]
    return [f"Rules: {rules}", *verbs]


if __name__ == "__main__":
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(render(before, can_run), encoding="utf-8", newline="\n")
