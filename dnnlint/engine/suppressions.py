"""Comments that silence findings: ``# noqa``, ``# dnnlint: ignore[...]``, ``# dnnlint: ignore-file[...]``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dnnlint.config.selectors import Selectors
from dnnlint.engine.source import Comment, LineTable

_OWN = re.compile(r"#\s*dnnlint\s*:\s*(?P<verb>[\w-]*)(?P<list>\s*\[(?P<items>[^\]]*)\])?", re.IGNORECASE)
_NOQA = re.compile(r"#\s*noqa(?:\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)
_WORD = re.compile(r"[^\s,]+")
_ABOUT_SUPPRESSIONS = frozenset(("DNN001", "DNN002"))


@dataclass(slots=True)
class Item:
    """One name in a suppression, or all rules when the suppression has no list."""

    text: str
    codes: frozenset[str] | None
    """None stands for every rule; an unknown name has no codes."""
    offset: int
    used: bool = False

    def covers(self, code: str) -> bool:
        """Whether the item silences a rule."""
        return self.codes is None or code in self.codes


@dataclass(slots=True)
class Suppression:
    """One comment that silences findings."""

    first_line: int
    """The first and the last line whose findings it silences; 0 and 0 mean the whole file."""
    last_line: int
    items: list[Item]
    reports_unused: bool
    """False for ``# noqa`` without codes, which is also written for other tools."""


@dataclass(slots=True)
class Problem:
    """Something to report about a suppression itself."""

    code: str
    offset: int
    length: int
    message: str
    help: str


@dataclass(slots=True)
class Suppressions:
    """The suppressions of one file."""

    entries: list[Suppression] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def silence(self, code: str, line: int) -> bool:
        """Whether a finding is silenced; what silenced it counts as used."""
        silenced = False
        for entry in self.entries:
            if entry.first_line <= line <= entry.last_line or entry.first_line == 0:
                for item in entry.items:
                    if item.covers(code):
                        item.used = silenced = True
        return silenced

    def about_themselves(self, enabled: Iterable[str]) -> list[Problem]:
        """What is wrong with the suppressions, once all findings of the enabled rules were asked about."""
        silenced = {
            code for entry in self.entries if entry.first_line == 0 for item in entry.items for code in item.codes or ()
        }
        return [problem for problem in (*self.problems, *self._unused(enabled)) if problem.code not in silenced]

    def _unused(self, enabled: Iterable[str]) -> Iterator[Problem]:
        codes = frozenset(enabled)
        for entry in self.entries:
            if not entry.reports_unused:
                continue
            for item in entry.items:
                if not item.used and (item.codes is None or item.codes & codes - _ABOUT_SUPPRESSIONS):
                    subject = f"of `{item.text}` " if item.codes is not None else ""
                    message = f"the suppression {subject}silences no finding"
                    yield Problem("DNN001", item.offset, len(item.text), message, "Remove it.")


Extents = Mapping[int, tuple[int, int]]
"""For each line of a statement over several lines, the first and the last line of the statement."""


def read_suppressions(
    comments: Iterable[Comment], extents: Callable[[], Extents], lines: LineTable, selectors: Selectors
) -> Suppressions:
    """Read the comments of a file; a comment silences the whole of the statement that it stands in."""
    found = Suppressions()
    candidates = [comment for comment in comments if _is_candidate(comment)]
    if not candidates:
        return found
    spread = extents()
    for comment in candidates:
        line = lines.line(comment.offset)
        _read_comment(comment, spread.get(line, (line, line)), selectors, found)
    return found


def _is_candidate(comment: Comment) -> bool:
    lowered = comment.text.lower()
    return "noqa" in lowered or "dnnlint" in lowered


def _read_comment(comment: Comment, extent: tuple[int, int], selectors: Selectors, found: Suppressions) -> None:
    for match in _OWN.finditer(comment.text):
        verb = match.group("verb").lower()
        if verb not in ("ignore", "ignore-file"):
            message = f"the instruction `{match.group().strip()}` is unknown"
            text_help = "Write `# dnnlint: ignore[rule]` or `# dnnlint: ignore-file[rule]`."
            start = comment.offset + match.start()
            found.problems.append(Problem("DNN002", start, len(match.group()), message, text_help))
            continue
        first, last = (0, 0) if verb == "ignore-file" else extent
        if match.group("list") is None:
            items = [Item(match.group(), None, comment.offset + match.start())]
        else:
            start = comment.offset + match.start("items")
            items = _items(match.group("items"), start, selectors) or [Item("", frozenset(), start)]
        _add(Suppression(first, last, items, True), selectors, found)
    noqa = _NOQA.search(comment.text)
    if noqa is not None and noqa.group("codes") is None:
        found.entries.append(Suppression(*extent, [Item(noqa.group(), None, comment.offset)], False))
    elif noqa is not None:
        items = _items(noqa.group("codes"), comment.offset + noqa.start("codes"), selectors)
        # The other codes are those of other tools.
        own = [item for item in items if selectors.is_own(item.text)]
        _add(Suppression(*extent, own, True), selectors, found)


def _items(text: str, offset: int, selectors: Selectors) -> list[Item]:
    items = []
    for match in _WORD.finditer(text):
        word = match.group()
        codes = selectors.codes(word) or selectors.codes(word.upper())
        items.append(Item(word, codes, offset + match.start()))
    return items


def _add(entry: Suppression, selectors: Selectors, found: Suppressions) -> None:
    for item in entry.items:
        if item.codes is not None and not item.codes:
            message = f"the suppression `{item.text}` names no rule{selectors.suggestion(item.text)}"
            text_help = "List the rules with `dnnlint rule --all`."
            found.problems.append(Problem("DNN002", item.offset, len(item.text), message, text_help))
    found.entries.append(entry)
