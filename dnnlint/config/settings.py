"""The settings of each checked file: its configuration, the command line, and the ignores of its path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dnnlint.config.model import Config, Overrides, RuleSettings
from dnnlint.config.selectors import Selectors, enabled_codes

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SYNTAX_ERROR = "DNN000"
UNCHECKED = "DNN003"


class SettingsResolver:
    """Works out rule settings, once for each configuration and set of matching path patterns."""

    def __init__(self, selectors: Selectors, overrides: Overrides) -> None:
        """Resolve settings under what the command line says."""
        self._selectors = selectors
        self._overrides = overrides
        self._known: dict[tuple[int, tuple[int, ...]], RuleSettings] = {}
        self._patterns: dict[int, list[GitIgnoreSpec]] = {}

    def fail_on(self, config: Config) -> str:
        """The severity from which on a finding fails the run."""
        return self._overrides.fail_on or config.fail_on

    def for_file(self, path: str, config: Config) -> RuleSettings:
        """The rule settings of a file, given by its absolute path."""
        selectors = self._selectors.with_plugins(config.plugins)
        matching = self._matching(path, config) if config.per_path_ignores else ()
        key = (id(config), matching)
        if key not in self._known:
            ignored = frozenset(
                code
                for index in matching
                for selector in config.per_path_ignores[index][1]
                for code in selectors.codes(selector)
            )
            self._known[key] = self._rule_settings(config, selectors, ignored)
        return self._known[key]

    def _matching(self, path: str, config: Config) -> tuple[int, ...]:
        if id(config) not in self._patterns:
            from pathspec import GitIgnoreSpec

            patterns = [pattern for pattern, _ in config.per_path_ignores]
            self._patterns[id(config)] = [GitIgnoreSpec.from_lines([pattern]) for pattern in patterns]
        relative = os.path.relpath(path, config.root).replace(os.sep, "/")
        return tuple(i for i, spec in enumerate(self._patterns[id(config)]) if spec.match_file(relative))

    def _rule_settings(self, config: Config, selectors: Selectors, ignored: frozenset[str]) -> RuleSettings:
        severity: dict[str, str | None] = {}
        for code in sorted(self._enabled(config, selectors) - ignored):
            override = config.severity.get(code)
            if override is not None or code not in config.severity:
                severity[code] = override
        digests = [(plugin.name, plugin.digest) for plugin in selectors.plugins]
        key = repr((list(severity.items()), _plain(config.options), digests))
        return RuleSettings(severity, config.options, key, selectors.plugins)

    def _enabled(self, config: Config, selectors: Selectors) -> frozenset[str]:
        given = self._overrides
        select, ignore = config.select, config.ignore
        if given.select is None:
            select, ignore = (*select, *config.extend_select), (*ignore, *config.extend_ignore)
        else:
            # Rules named on the command line run whatever the project selects or ignores.
            select, ignore = given.select, ()
        if given.ignore is not None:
            ignore = given.ignore
        ignore = (*ignore, *given.extend_ignore)
        chosen = enabled_codes(selectors, (*select, *given.extend_select), ignore)
        # A file that could not be checked is never green because of a narrow selection.
        named = {code for selector in ignore if selector != "ALL" for code in selectors.codes(selector)}
        return chosen | ({SYNTAX_ERROR, UNCHECKED} - named)


def _plain(options: Mapping[str, Mapping[str, object]]) -> list[tuple[str, list[tuple[str, object]]]]:
    return sorted((code, sorted(values.items())) for code, values in options.items())
