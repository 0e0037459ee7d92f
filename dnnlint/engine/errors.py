"""Failures that end a command with exit code 2 and one message."""

from __future__ import annotations


class UsageError(Exception):
    """A command, a path or a setting that cannot be carried out as given."""


def nearest(word: str, known: list[str]) -> str:
    """Return `` (did you mean "x"?)`` for the known word closest to ``word``, or an empty string."""
    import difflib  # 3 ms, and only a wrong setting needs it

    matches = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f' (did you mean "{matches[0]}"?)' if matches else ""
