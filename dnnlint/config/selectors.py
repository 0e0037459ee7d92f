"""Which rules a selector means: a code, a prefix of codes, a name, a family, or ``ALL``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dnnlint.engine.errors import UsageError, nearest
from dnnlint.rules import OWN_PREFIX, RuleInfo, rule_index

if TYPE_CHECKING:
    from dnnlint.plugins import Plugin

EXACT = 100


class Selectors:
    """Resolves selectors against the built-in rules and those of some plug-ins."""

    def __init__(self, plugins: tuple[Plugin, ...] = ()) -> None:
        """Read the rule set.

        Raises:
            UsageError: the plug-ins get in the way of each other or of the built-in rules.
        """
        if plugins:
            from dnnlint.plugins import require_distinct

            require_distinct(plugins)
        self.plugins = plugins
        self._rules = {**rule_index(), **{info.code: info for plugin in plugins for info in plugin.infos}}
        self._prefixes = (OWN_PREFIX, *{plugin.rules[0].code[:3] for plugin in plugins})
        self._resolved: dict[str, tuple[frozenset[str], int]] = {}
        self._extended: dict[tuple[str, ...], Selectors] = {}

    def loading(self, names: Iterable[str], where: str) -> Selectors:
        """The selectors with some plug-ins more, given by name.

        Raises:
            UsageError: a plug-in cannot be loaded, or gets in the way of another one.
        """
        wanted = tuple(names)
        if not wanted:
            return self
        from dnnlint.plugins import load_plugin

        try:
            return self.with_plugins(tuple(load_plugin(name) for name in wanted))
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from error

    def with_plugins(self, plugins: Iterable[Plugin]) -> Selectors:
        """The selectors with some plug-ins more; these very ones when there are none."""
        known = {plugin.name: plugin for plugin in (*self.plugins, *plugins)}
        if len(known) == len(self.plugins):
            return self
        names = tuple(known)
        if names not in self._extended:
            self._extended[names] = Selectors(tuple(known.values()))
        return self._extended[names]

    def is_own(self, code: str) -> bool:
        """Whether a code is in the form of the known rules, not that of another tool."""
        return code[:3].upper() in self._prefixes and code[3:].isdigit()

    def may_name(self, text: str) -> bool:
        """Whether a code of the known rules can stand in a text."""
        return any(prefix in text for prefix in self._prefixes)

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
        if selector.startswith(self._prefixes):
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
