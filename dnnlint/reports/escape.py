"""Names of files as they may stand in a line of text."""

from __future__ import annotations


def escaped(text: str) -> str:
    """Line breaks and what a terminal would obey as in a string of Python; everything else as it is."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
