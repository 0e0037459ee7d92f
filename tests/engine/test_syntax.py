"""Text that the parser does not accept, as seen by interpreters that may disagree with it."""

from __future__ import annotations

import builtins

import libcst as cst
import pytest

from dnnlint.config.model import RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.engine.syntax import check_text
from dnnlint.finding import Finding

SETTINGS = RuleSettings({"DNN000": None, "DNN003": None}, {}, "")


def only_finding(text: str) -> Finding:
    """The one finding in a text."""
    (finding,) = check_text(text, "a.py", SETTINGS, Selectors()).findings
    return finding


def test_name_that_is_none_for_this_interpreter() -> None:
    """Parser and interpreter know different versions of Unicode."""
    finding = only_finding("x = 1\n\U00013460\n")
    assert (finding.code, finding.line, finding.column) == ("DNN000", 2, 1)


@pytest.mark.parametrize("error", [None, ValueError, MemoryError, RecursionError, SyntaxError("no place")], ids=repr)
def test_place_comes_from_the_parser_when_the_interpreter_has_none(
    error: Exception | type[Exception] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newer interpreter may accept what the parser refuses, or fail in its own way."""

    def compile_differently(*arguments: object, **options: object) -> None:
        if error is not None:
            raise error

    monkeypatch.setattr(builtins, "compile", compile_differently)
    finding = only_finding("x = 1\nf(a b)\n")
    assert (finding.code, finding.line, finding.column) == ("DNN000", 2, 6)
    assert finding.message.startswith("Syntax error: expected one of ")


def test_error_without_a_place_is_reported_at_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than not at all."""
    monkeypatch.setattr(builtins, "compile", lambda *arguments, **options: None)
    finding = only_finding("x = 1\n\U00013460\n")
    assert (finding.line, finding.column) == (1, 1)
    assert "is not a valid identifier" in finding.message


class PanicException(BaseException):
    """Named like the exception of the native parser, which cannot be imported."""


@pytest.mark.parametrize("error", [PanicException, RecursionError])
def test_failure_of_the_parser_is_no_crash(error: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """The file counts as not checked."""

    def fail(text: str) -> cst.Module:
        raise error

    monkeypatch.setattr(cst, "parse_module", fail)
    assert only_finding("x = 1\n").code == "DNN003"


def test_interrupt_while_parsing_is_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no property of the file."""

    def interrupt(text: str) -> cst.Module:
        raise KeyboardInterrupt

    monkeypatch.setattr(cst, "parse_module", interrupt)
    with pytest.raises(KeyboardInterrupt):
        check_text("x = 1\n", "a.py", SETTINGS, Selectors())
