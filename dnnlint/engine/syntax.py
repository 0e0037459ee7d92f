"""Check decoded source: guard, parse, run the rules, place their reports."""

from __future__ import annotations

import re
import sys

import libcst as cst

from dnnlint.config.model import RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.engine.analyse import NO_PROJECT, Subject
from dnnlint.engine.builtin import engine_finding
from dnnlint.engine.guard import find_excess
from dnnlint.engine.model import FileError, FileResult
from dnnlint.engine.placing import place_reports
from dnnlint.engine.running import known_unit, run_rules
from dnnlint.engine.source import LineTable
from dnnlint.finding import Finding

RECURSION_LIMIT = 12_000
"""Enough for the longest chain that the guard lets pass: 1,000 links, each a few frames deep."""

_LIBCST_PLACE = re.compile(r"error at (\d+):(\d+): (.*)")


def check_text(
    text: str, name: str, settings: RuleSettings, selectors: Selectors, subject: Subject = NO_PROJECT
) -> FileResult:
    """Analyse the text of a file that concerns training or does not compile."""
    excess = find_excess(text)
    if excess is not None:
        return _refused(name, LineTable(text).place(excess.offset), excess.message, settings)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        return _check_parsed(text, name, settings, selectors, subject)
    finally:
        sys.setrecursionlimit(limit)


def _check_parsed(text: str, name: str, settings: RuleSettings, selectors: Selectors, subject: Subject) -> FileResult:
    try:
        known = known_unit(subject, text)
        module = known.module if known is not None else cst.parse_module(text)
    except RecursionError:
        return _too_deep(name, settings)
    except Exception as error:  # also of names that only a newer Unicode knows
        place, message = syntax_error(text, error)
        return _single(engine_finding("DNN000", name, place, message, settings))
    except BaseException as error:
        if (
            type(error).__name__ != "PanicException"
        ):  # how a bug of the native parser arrives; it has no importable type
            raise
        return _refused(name, (1, 1), "the parser of libcst failed", settings)
    return _check_module(module, text, name, settings, selectors, subject)


def _check_module(
    module: cst.Module, text: str, name: str, settings: RuleSettings, selectors: Selectors, subject: Subject
) -> FileResult:
    try:
        run = run_rules(module, text, settings, subject)
        placed = place_reports(module, text, name, run, settings, selectors)
    except RecursionError:
        return _too_deep(name, settings)
    errors = tuple(FileError(name, crash) for crash in (*run.crashes, *placed.crashes))
    notes = (run.notes or {}).get(subject.path, ())
    return FileResult(placed.findings, placed.suppressed, errors, run.read, run.is_linked, notes)


def _too_deep(name: str, settings: RuleSettings) -> FileResult:
    return _refused(name, (1, 1), "its statements or expressions are nested too deeply", settings)


def _refused(name: str, place: tuple[int, int], reason: str, settings: RuleSettings) -> FileResult:
    """Noted also where nobody wants the finding."""
    found = _single(engine_finding("DNN003", name, place, f"the file is not checked: {reason}", settings))
    return found._replace(notes=(f"the file is not checked: {reason}",))


def _single(finding: Finding | None) -> FileResult:
    return FileResult((finding,) if finding else ())


def syntax_error(text: str, error: Exception) -> tuple[tuple[int, int], str]:
    """The place and the text of a syntax error; the interpreter says both better than libcst when it agrees."""
    try:
        compile(text, "<source>", "exec", dont_inherit=True)
    except SyntaxError as own:
        if own.lineno:
            return (own.lineno, max(own.offset or 1, 1)), f"syntax error: {own.msg}"
    except (ValueError, RecursionError, MemoryError):
        pass
    message = error.message if isinstance(error, cst.ParserSyntaxError) else str(error)
    match = _LIBCST_PLACE.search(message)
    if match is None:
        return (1, 1), f"syntax error: {message}"
    return (max(int(match.group(1)), 1), int(match.group(2)) + 1), f"syntax error: {match.group(3)}"
