"""The documentation pages of the rules: Markdown with fixed sections, read where they lie beside the rules."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from dnnlint import rules
from dnnlint.rules import RuleInfo

SECTIONS = (
    "What it does",
    "Why it matters",
    "Example",
    "Use instead",
    "When not to apply",
    "Fix safety",
    "Options",
    "References",
)
"""The sections of a page in their order; ``Fix safety`` and ``Options`` only where there is something to say."""

_HEADING = re.compile(r"^##\s+(.+?)\s*$")
_FENCE = re.compile(r"^(`{3,}|~{3,})\s*(.*?)\s*$")


class Block(NamedTuple):
    """A fenced block of a page."""

    info: str
    """What stands behind the fence, for example ``python fixed``."""
    text: str
    line: int
    """The line of the fence in the page, from 1."""


class Page(NamedTuple):
    """A documentation page."""

    text: str
    sections: dict[str, str]
    blocks: tuple[Block, ...]

    @property
    def summary(self) -> str:
        """The first paragraph of the first section, on one line."""
        return " ".join(self.sections.get(SECTIONS[0], "").split("\n\n", 1)[0].split())


def page_path(info: RuleInfo) -> str:
    """The file of a page, in the checkout, in the installed package, and in a plug-in."""
    if info.page_file:
        return info.page_file
    folder = os.path.dirname(os.path.abspath(rules.__file__))
    return os.path.join(folder, info.family, info.name.replace("-", "_") + ".md")


def read_page(info: RuleInfo) -> Page:
    """Read the page of a rule; an empty one when it has none."""
    try:
        with open(page_path(info), encoding="utf-8") as file:
            return parse_page(file.read())
    except OSError:
        return Page("", {}, ())


def parse_page(text: str) -> Page:
    """Split a page into its sections and its fenced blocks."""
    sections: dict[str, list[str]] = {}
    blocks: list[Block] = []
    current: list[str] = []
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        heading = None if fence else _HEADING.match(line)
        if heading:
            current = sections.setdefault(heading.group(1), [])
            continue
        current.append(line)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence) and not mark.group(2):
                fence = ""
            else:
                blocks[-1] = blocks[-1]._replace(text=f"{blocks[-1].text}{line}\n")
        elif mark:
            fence = mark.group(1)
            blocks.append(Block(mark.group(2), "", number))
    return Page(text, {name: "\n".join(lines).strip() for name, lines in sections.items()}, tuple(blocks))
