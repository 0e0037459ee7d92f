"""Findings of the engine itself: files that do not parse, and suppressions."""

from __future__ import annotations

from dnnlint.config.model import RuleSettings
from dnnlint.finding import Finding, Severity
from dnnlint.rules import ENGINE_RULES

_INFOS = {info.code: info for info in ENGINE_RULES}
_HELP = {
    "DNN000": "Correct the file: nothing else in it was checked.",
    "DNN003": "Split the expression, or exclude the file.",
}

Place = tuple[int, int]
"""Line and column, from 1."""


def engine_finding(
    code: str,
    path: str,
    place: Place,
    message: str,
    settings: RuleSettings,
    end: Place | None = None,
    text_help: str = "",
    severity: str | None = None,
) -> Finding | None:
    """A finding of the engine, or None when its code is switched off for the file.

    The message starts with a capital letter and ends with a full stop whether or not the given text does.
    """
    if code not in settings.severity:
        return None
    info = _INFOS[code]
    end_line, end_column = end or (place[0], place[1] + 1)
    return Finding(
        code=code,
        name=info.name,
        severity=Severity(settings.severity[code] or severity or info.severity),
        path=path,
        line=place[0],
        column=place[1],
        end_line=end_line,
        end_column=end_column,
        message=_sentence(message),
        help=text_help or _HELP[code],
        clause=info.clause,
    )


def _sentence(text: str) -> str:
    end = "" if text.endswith((".", "?", "!")) else "."
    return text[:1].upper() + text[1:] + end
