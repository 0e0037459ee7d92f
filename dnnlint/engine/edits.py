"""Turn the edits of a rule, which are placed by syntax nodes, into edits by character range."""

from __future__ import annotations

import re
from itertools import pairwise

import libcst as cst

from dnnlint.engine.positions import Layout, Statement
from dnnlint.finding import Edit, Fix, FixSafety
from dnnlint.rule import NodeEdit, Report

_LINE_END = re.compile(r"\r\n|\r|\n")


def edited_nodes(report: Report) -> list[cst.CSTNode]:
    """The nodes whose position the fix of a report needs."""
    nodes = [edit.node for edit in report.edits]
    decorated = [node.decorators[0] for node in nodes if _is_decorated(node)]  # type: ignore[attr-defined]
    return [*nodes, *decorated]


def to_fix(report: Report, safety: FixSafety | None, layout: Layout, text: str, newline: str) -> Fix | None:
    """The fix of a report, or None when it has none or it cannot be written at its place."""
    if not report.edits:
        return None
    edits = [_to_edit(edit, layout, text, newline) for edit in report.edits]
    placed = sorted((edit for edit in edits if edit is not None), key=lambda edit: (edit.start, edit.end))
    if len(placed) < len(edits) or any(a.end > b.start for a, b in pairwise(placed)):
        return None
    return Fix(safety or FixSafety.DISPLAY, report.fix_description, tuple(placed))


def _to_edit(edit: NodeEdit, layout: Layout, text: str, newline: str) -> Edit | None:
    start, end = layout.spans[edit.node]
    if edit.where == "replace":
        return Edit(start, end, _with_newline(edit.text, newline))
    if edit.where == "before":
        return Edit(start, start, _with_newline(edit.text, newline))
    if edit.where == "after":
        return Edit(end, end, _with_newline(edit.text, newline))
    if edit.where not in ("line-before", "line-after"):
        raise ValueError(f"unknown place of an edit: {edit.where}")
    statement = _statement_at(start, layout)
    if statement is None or not _has_own_lines(statement, text):
        return None
    if edit.where == "line-before":
        return _line_before(edit, statement, layout, text, newline)
    return _line_after(edit, statement, text, newline)


def _line_before(edit: NodeEdit, statement: Statement, layout: Layout, text: str, newline: str) -> Edit | None:
    start = statement.start
    if _is_decorated(statement.node):
        decorator = statement.node.decorators[0]  # type: ignore[attr-defined]  # decorated
        if decorator not in layout.spans:
            return None
        start = layout.spans[decorator][0]
    at = _line_start(start, text)
    return Edit(at, at, _indented(edit.text, text[at:start], newline) + newline)


def _line_after(edit: NodeEdit, statement: Statement, text: str, newline: str) -> Edit:
    indent = text[_line_start(statement.start, text) : statement.start]
    added = _indented(edit.text, indent, newline)
    line_end = _LINE_END.search(text, statement.end)
    if line_end is None:
        return Edit(len(text), len(text), newline + added)
    return Edit(line_end.end(), line_end.end(), added + newline)


def _statement_at(offset: int, layout: Layout) -> Statement | None:
    holding = [statement for statement in layout.statements if statement.start <= offset < statement.end]
    return max(holding, key=lambda statement: statement.start, default=None)


def _has_own_lines(statement: Statement, text: str) -> bool:
    """Whether a line can be put beside a statement without tearing another one apart."""
    node = statement.node
    if isinstance(node, cst.SimpleStatementSuite) or (isinstance(node, cst.SimpleStatementLine) and len(node.body) > 1):
        return False
    before = text[_line_start(statement.start, text) : statement.start]
    return not before.strip() and not text.startswith("elif", statement.start)


def _is_decorated(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.FunctionDef, cst.ClassDef)) and bool(node.decorators)


def _line_start(offset: int, text: str) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _indented(added: str, indent: str, newline: str) -> str:
    return newline.join(indent + line if line else line for line in added.split("\n"))


def _with_newline(added: str, newline: str) -> str:
    return added if newline == "\n" else added.replace("\n", newline)
