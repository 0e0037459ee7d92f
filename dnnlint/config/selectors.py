"""Which rules a selector means: a code, a prefix of codes, a name, a family, or ``ALL``."""

from __future__ import annotations

from collections.abc import Iterable

from dnnlint.engine.errors import UsageError, nearest
from dnnlint.rules import RuleInfo, rule_index

EXACT = 100


class Selectors:
    """Resolves selectors against the rule set."""

    def __init__(self) -> None:
        """Read the rule set."""
        self._rules = rule_index()
        self._resolved: dict[str, tuple[frozenset[str], int]] = {}

    @property
    def rules(self) -> dict[str, RuleInfo]:
        """Metadata of every rule by code."""
        return self._rules

    def codes(self, selector: str) -> frozenset[str]:
        """The codes that a selector means; empty when it is unknown."""
        return self._resolve(selector)[0]

    def specificity(self, selector: str) -> int:
        """A rank by which a narrow selector wins over a wide one."""
        return self._resolve(selector)[1]

    def suggestion(self, selector: str) -> str:
        """A hint at the known selector that is nearest to an unknown one."""
        infos = self._rules.values()
        known = [text for info in infos for text in (info.code, info.name)]
        return nearest(selector, [*known, *sorted({info.family for info in infos}), "ALL"])

    def require(self, selectors: Iterable[str], where: str) -> None:
        """Raise UsageError when a selector means no rule."""
        for selector in selectors:
            if not self.codes(selector):
                raise UsageError(f'{where}: unknown rule "{selector}"{self.suggestion(selector)}')

    def _resolve(self, selector: str) -> tuple[frozenset[str], int]:
        if selector not in self._resolved:
            self._resolved[selector] = self._look_up(selector)
        return self._resolved[selector]

    def _look_up(self, selector: str) -> tuple[frozenset[str], int]:
        if selector == "ALL":
            return frozenset(self._rules), 0
        if selector in self._rules:
            return frozenset((selector,)), EXACT
        infos = self._rules.values()
        if named := [info.code for info in infos if info.name == selector]:
            return frozenset(named), EXACT
        if family := [info.code for info in infos if info.family == selector]:
            return frozenset(family), len("DNN1")
        if selector.startswith("DNN"):
            return frozenset(code for code in self._rules if code.startswith(selector)), len(selector)
        return frozenset(), 0


def enabled_codes(selectors: Selectors, select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """The codes left by two lists of selectors; the narrower selector decides, on a tie the ignored one."""
    chosen: dict[str, int] = {}
    for selector in select:
        rank = selectors.specificity(selector)
        for code in selectors.codes(selector):
            chosen[code] = max(rank, chosen.get(code, rank))
    for selector in ignore:
        rank = selectors.specificity(selector)
        for code in selectors.codes(selector):
            if code in chosen and rank >= chosen[code]:
                del chosen[code]
    return frozenset(chosen)
