"""The rule set: cheap metadata for settings and reports, and the rules themselves when a file is analysed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dnnlint.rules import _table

if TYPE_CHECKING:
    from dnnlint.rule import OptionValue, Rule


OWN_PREFIX = "DNN"
"""How the codes of the built-in rules start; plug-ins have prefixes of their own."""


class RuleInfo(NamedTuple):
    """What is known of a rule without importing it: analysis costs an import of libcst, a lookup must not."""

    code: str
    name: str
    severity: str
    clause: str
    family: str
    fix: str | None = None
    options: tuple[tuple[str, OptionValue, str], ...] = ()
    page_file: str = ""
    """Where the page of a plug-in's rule lies; empty for a built-in rule."""
    home: str = ""
    """The address that the distribution of a plug-in names for itself."""

    @property
    def page(self) -> str:
        """The documentation page, relative to the root of the repository; for a plug-in its address, if it has one."""
        if self.page_file:
            return self.home
        return f"rules/{self.family}/{self.name.replace('-', '_')}.md"


ENGINE_RULES = (
    RuleInfo("DNN000", "syntax-error", "error", "", "engine"),
    RuleInfo("DNN001", "unused-suppression", "advice", "", "engine"),
    RuleInfo("DNN002", "unknown-suppression", "warning", "", "engine"),
    RuleInfo("DNN003", "unchecked-file", "warning", "", "engine"),
)
"""Findings of the engine itself, about files and comments rather than training code."""


def rule_index() -> dict[str, RuleInfo]:
    """Metadata of every rule by code, in the order of the codes."""
    rows = (RuleInfo(*row) for row in _table.TABLE)
    return {info.code: info for info in sorted((*ENGINE_RULES, *rows))}


def all_rules() -> tuple[Rule, ...]:
    """Import and return the rules that check Python files."""
    return _table.load()


def file_rules() -> tuple[Rule, ...]:
    """Import and return the rules that check environment and deployment files."""
    return _table.load_file_rules()
