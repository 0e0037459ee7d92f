"""Turn a TOML table into a Config; everything unknown is an error that names the nearest valid word."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dnnlint.config.model import SEVERITY_RANKS, Config
from dnnlint.config.selectors import Selectors
from dnnlint.engine.errors import UsageError, nearest
from dnnlint.rule import OptionValue
from dnnlint.rules import RuleInfo

if TYPE_CHECKING:
    from dnnlint.plugins import Plugin

SEVERITIES = tuple(SEVERITY_RANKS)
OFF = "off"


class _Table:
    """A table of the configuration file that knows its own name, for messages."""

    def __init__(self, values: Mapping[str, object], where: str) -> None:
        self.values = values
        self.where = where

    def fail(self, key: str, problem: str) -> UsageError:
        return UsageError(f"{self.where}: {key}: {problem}")

    def check_keys(self, known: list[str]) -> None:
        for key in self.values:
            if key not in known:
                raise UsageError(f'{self.where}: unknown key "{key}"{nearest(key, known)}')

    def text(self, key: str) -> str:
        value = self.values[key]
        if not isinstance(value, str):
            raise self.fail(key, f"expected a string, found {_kind(value)}")
        return value

    def flag(self, key: str) -> bool:
        value = self.values[key]
        if not isinstance(value, bool):
            raise self.fail(key, f"expected true or false, found {_kind(value)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values[key]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fail(key, f"expected a list of strings, found {_kind(value)}")
        return tuple(value)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in choices:
            expected = ", ".join(choices)
            raise self.fail(key, f'"{value}" is none of {expected}{nearest(value, list(choices))}')
        return value

    def table(self, key: str) -> _Table:
        value = self.values[key]
        if not isinstance(value, dict):
            raise self.fail(key, f"expected a table, found {_kind(value)}")
        return _Table(value, f"{self.where}: {key}")


def _kind(value: object) -> str:
    names: dict[type, str] = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}
    if isinstance(value, list):
        odd = next((item for item in value if not isinstance(item, str)), None)
        return "a list" if odd is None else f"a list with {_kind(odd)}"
    return names.get(type(value), "a table" if isinstance(value, dict) else f"a {type(value).__name__}")


def parse_config(values: Mapping[str, object], root: str, source: str, selectors: Selectors) -> Config:
    """Check the table ``[tool.dnnlint]`` of a file.

    Raises:
        UsageError: an unknown key, rule or option, or a value of the wrong type.
    """
    table = _Table(values, source)
    table.check_keys(sorted(_KEYS))
    if "plugins" in values:
        selectors = selectors.loading(table.texts("plugins"), f"{source}: plugins")
    settings: dict[str, object] = {}
    if "cache-dir" in values:
        _require_cache_folder(table, root)
    for key in values:
        settings[key.replace("-", "_")] = _KEYS[key](table, key, selectors)
    settings["options"] = settings.pop("rules", {})
    return Config(root=root, source=source, **settings)  # type: ignore[arg-type]  # typed by the functions of _KEYS


def _require_cache_folder(table: _Table, root: str) -> None:
    """The cache hides its whole folder from Git and from backups, so the project must not lie in it."""
    name = table.text("cache-dir")
    folder, project = (os.path.realpath(path) for path in (os.path.join(root, name), root))
    if not name.strip() or os.path.join(project, "").startswith(os.path.join(folder, "")):
        problem = f'"{name}" is not a folder of its own; name one that holds nothing else'
        raise table.fail("cache-dir", problem)


def _selectors(table: _Table, key: str, selectors: Selectors) -> tuple[str, ...]:
    chosen = table.texts(key)
    selectors.require(chosen, f"{table.where}: {key}")
    return chosen


def _patterns(table: _Table, key: str, selectors: Selectors) -> tuple[str, ...]:
    patterns = table.texts(key)
    for pattern in patterns:
        _require_pattern(pattern, table, key)
    return patterns


def _require_pattern(pattern: str, table: _Table, key: str) -> None:
    if pattern.replace("_", "").replace("-", "").replace(".", "").isalnum():
        return  # a plain name, and no reason to import a library
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except ValueError as error:
        raise table.fail(key, f'invalid pattern "{pattern}"') from error


def _plugins(table: _Table, key: str, selectors: Selectors) -> tuple[Plugin, ...]:
    return selectors.plugins  # they were loaded first, since other keys name their rules


def _flag(table: _Table, key: str, selectors: Selectors) -> bool:
    return table.flag(key)


def _text(table: _Table, key: str, selectors: Selectors) -> str:
    return table.text(key)


def _fail_on(table: _Table, key: str, selectors: Selectors) -> str:
    return table.choice(key, SEVERITIES)


def _monitor(table: _Table, key: str, selectors: Selectors) -> dict[str, float]:
    """The thresholds of ``dnnlint monitor``, checked here so that a mistake shows before the first log."""
    from dnnlint.monitor.thresholds import KEYS, ThresholdError, make_thresholds

    limits = table.table(key)
    limits.check_keys(list(KEYS))
    values: dict[str, float] = {}
    for name, value in limits.values.items():
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise limits.fail(name, f"expected a number, found {_kind(value)}")
        values[name] = float(value)
    try:
        make_thresholds(values)
    except ThresholdError as error:
        raise UsageError(f"{limits.where}: {error}") from error
    return values


def _severity(table: _Table, key: str, selectors: Selectors) -> dict[str, str | None]:
    overrides: dict[str, str | None] = {}
    levels = table.table(key)
    selectors.require(levels.values, levels.where)
    # A narrow selector is applied after a wide one, so that it wins whatever the order in the file.
    for selector in sorted(levels.values, key=selectors.specificity):
        level = levels.choice(selector, (*SEVERITIES, OFF))
        for code in selectors.codes(selector):
            overrides[code] = None if level == OFF else level
    return overrides


def _per_path_ignores(table: _Table, key: str, selectors: Selectors) -> tuple[tuple[str, tuple[str, ...]], ...]:
    ignores = table.table(key)
    for pattern in ignores.values:
        _require_pattern(pattern, table, key)
    return tuple((pattern, _selectors(ignores, pattern, selectors)) for pattern in ignores.values)


def _rule_options(table: _Table, key: str, selectors: Selectors) -> dict[str, dict[str, OptionValue]]:
    by_name = {info.name: info for info in selectors.rules.values()}
    rules = table.table(key)
    options: dict[str, dict[str, OptionValue]] = {}
    for name in rules.values:
        info = by_name.get(name) or selectors.rules.get(name)
        if info is None:
            raise UsageError(f'{rules.where}: unknown rule "{name}"{nearest(name, sorted(by_name))}')
        options[info.code] = _options_of(rules.table(name), info)
    return options


def _options_of(table: _Table, info: RuleInfo) -> dict[str, OptionValue]:
    defaults = {name: default for name, default, _ in info.options}
    if not defaults and table.values:
        raise UsageError(f"{table.where}: this rule has no options")
    table.check_keys(sorted(defaults))
    options = {name: _option(table, name, defaults[name]) for name in table.values}
    _require_range(table, {**defaults, **options})
    return options


def _require_range(table: _Table, options: Mapping[str, OptionValue]) -> None:
    """The options ``min`` and ``max`` of a rule are the ends of a range."""
    low, high = options.get("min"), options.get("max")
    if isinstance(low, int | float) and isinstance(high, int | float) and low > high:
        key = "min" if "min" in table.values else "max"
        raise table.fail(key, f"the range from min = {low} to max = {high} is empty")


def _option(table: _Table, name: str, default: OptionValue) -> OptionValue:
    value = table.values[name]
    if isinstance(default, tuple):
        return table.texts(name)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not type(default):
        raise table.fail(name, f"expected {_kind(default)}, found {_kind(value)}")
    if isinstance(value, int | float) and value < 0:
        raise table.fail(name, f"expected a number that is not negative, found {value}")
    return value


_Parser = Callable[[_Table, str, Selectors], object]
_KEYS: dict[str, _Parser] = {
    **dict.fromkeys(("select", "ignore", "extend-select", "extend-ignore"), _selectors),
    **dict.fromkeys(("exclude", "extend-exclude"), _patterns),
    "respect-gitignore": _flag,
    "fail-on": _fail_on,
    "severity": _severity,
    "per-path-ignores": _per_path_ignores,
    "rules": _rule_options,
    "cache-dir": _text,
    "monitor": _monitor,
    "plugins": _plugins,
}
