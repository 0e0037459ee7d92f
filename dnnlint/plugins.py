"""Third-party rules: the entry points of the group ``dnnlint.rules`` that a configuration names.

Only ``Selectors.loading`` imports this module, and only for names that were given: looking for entry points costs more
than a check that is answered from the cache.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import NamedTuple

from dnnlint.engine.errors import UsageError, nearest
from dnnlint.finding import FixSafety, Severity
from dnnlint.rule import API_VERSION, Option, Rule
from dnnlint.rules import OWN_PREFIX, RuleInfo, rule_index

GROUP = "dnnlint.rules"
API_ATTRIBUTE = "DNNLINT_API"
_CODE = re.compile(r"[A-Z]{3}[0-9]{3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SOURCE_SUFFIXES = (".py", ".json", ".toml", ".yaml", ".yml", ".csv", ".so", ".pyd")
"""Code, and the tables that rules are likely to read."""
_HOME_LABELS = ("documentation", "homepage", "repository", "source")


class Plugin(NamedTuple):
    """The rules behind one entry point."""

    name: str
    """Of the entry point; the family of its rules."""
    distribution: str
    """Whose plug-ins may share a prefix."""
    rules: tuple[Rule, ...]
    infos: tuple[RuleInfo, ...]
    digest: str = ""
    """Of its version and sources: another one means other findings."""

    def __reduce__(self) -> tuple[Callable[[str], Plugin], tuple[str]]:
        """Travel to another process by name; checks are functions that only an import brings there."""
        return load_plugin, (self.name,)


@functools.cache
def load_plugin(name: str) -> Plugin:
    """Import a plug-in that is installed.

    Raises:
        UsageError: it is not installed, cannot be imported, or is not what this version of dnnlint understands.
    """
    point = _entry_point(name)
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        problem = f"cannot be imported: {type(error).__name__}: {error}"
        raise UsageError(f'plug-in "{name}" {problem}') from error
    _require_version(point)
    distribution, version, home = _origin(point)
    rules = _rules_of(loaded, name)
    plugin = make_plugin(name, rules, distribution, home)
    return plugin._replace(digest=_digest(version, {point.module, *(rule.check.__module__ for rule in rules)}))


def make_plugin(name: str, rules: Sequence[Rule], distribution: str = "", home: str = "") -> Plugin:
    """The plug-in that some rules make.

    Raises:
        UsageError: a code, a name or another part of a rule is not in its form.
    """
    seen: set[str] = set()
    for rule in rules:
        problem = _problem_of(rule) or next((f"gives {text} twice" for text in _keys(rule) if text in seen), None)
        if problem is not None:
            raise UsageError(f'plug-in "{name}" {problem}')
        seen.update(_keys(rule))
    prefixes = sorted({rule.code[:3] for rule in rules})
    if len(prefixes) > 1:
        raise UsageError(f'plug-in "{name}" has several prefixes: {", ".join(prefixes)}')
    infos = tuple(_info(rule, name, home) for rule in sorted(rules, key=lambda rule: rule.code))
    return Plugin(name, distribution or name, tuple(rules), infos)


def require_distinct(plugins: Iterable[Plugin]) -> None:
    """Refuse plug-ins that get in the way of the built-in rules or of each other.

    Raises:
        UsageError: a code, a name, a family or a prefix has two owners.
    """
    owners = {key: "dnnlint" for info in rule_index().values() for key in (info.code, info.name, info.family)}
    owners["ALL"] = "dnnlint"
    prefixes: dict[str, Plugin] = {}
    for plugin in plugins:
        prefix = plugin.rules[0].code[:3]
        other = prefixes.setdefault(prefix, plugin)
        if other.distribution != plugin.distribution:
            raise UsageError(f'plug-ins "{other.name}" and "{plugin.name}" both have the prefix {prefix}')
        for key in (plugin.name, *(key for rule in plugin.rules for key in _keys(rule))):
            if key in owners:
                raise UsageError(f'plug-in "{plugin.name}" uses {key}, which {owners[key]} has already')
            owners[key] = f'plug-in "{plugin.name}"'


def _entry_point(name: str) -> EntryPoint:
    installed = entry_points(group=GROUP)
    matching = [point for point in installed if point.name == name]
    if not matching:
        raise UsageError(f'plug-in "{name}" is not installed{nearest(name, sorted(installed.names))}')
    if len(matching) > 1:
        owners = ", ".join(sorted(_origin(point)[0] for point in matching))
        raise UsageError(f'plug-in "{name}" is offered by several distributions: {owners}')
    return matching[0]


def _require_version(point: EntryPoint) -> None:
    version = getattr(sys.modules[point.module], API_ATTRIBUTE, None)
    if version is None:
        problem = f"does not say which interface it is written for: {point.module} has no {API_ATTRIBUTE}"
        raise UsageError(f'plug-in "{point.name}" {problem}')
    if version != API_VERSION:
        problem = f"is written for version {version!r} of the interface, and this dnnlint has version {API_VERSION}"
        raise UsageError(f'plug-in "{point.name}" {problem}')


def _origin(point: EntryPoint) -> tuple[str, str, str]:
    """The name of the distribution, its version, and the address of its documentation or home page."""
    if point.dist is None:
        return point.name, "", ""
    lines = point.dist.metadata.get_all("Project-URL") or []
    urls = {label.strip().lower(): url.strip() for label, _, url in (line.partition(",") for line in lines)}
    home = next((urls[label] for label in _HOME_LABELS if label in urls), "")
    return point.dist.metadata["Name"], point.dist.version, home


def _rules_of(loaded: object, name: str) -> tuple[Rule, ...]:
    if isinstance(loaded, ModuleType):
        if not hasattr(loaded, "RULES"):
            raise UsageError(f'plug-in "{name}" is a module without RULES')
        loaded = loaded.RULES
    rules = (loaded,) if isinstance(loaded, Rule) else loaded
    if not isinstance(rules, list | tuple):
        raise UsageError(f'plug-in "{name}" is no rule, list of rules or module with RULES: {type(loaded).__name__}')
    if not rules:
        raise UsageError(f'plug-in "{name}" has no rules')
    return tuple(rules)


def _problem_of(rule: object) -> str | None:
    """What is wrong with a rule; it was written by somebody else and perhaps not checked for types."""
    if not isinstance(rule, Rule):
        return f"lists something that is no rule: {type(rule).__name__}"
    if not _matches(_CODE, rule.code):
        return f"has the code {rule.code!r}; a code is three capital letters and three digits"
    if rule.code.startswith(OWN_PREFIX):
        return f"has the code {rule.code}; the prefix {OWN_PREFIX} is that of the built-in rules"
    if not _matches(_NAME, rule.name):
        return f"has the name {rule.name!r}; a name is in kebab-case"
    parts = {
        "severity": _is_a(Severity, rule.severity),
        "clause": _is_a(str, rule.clause),
        "check": _is_function(rule.check),
        "fix": rule.fix is None or _is_a(FixSafety, rule.fix),
        "options": _is_a(tuple, rule.options) and all(map(_is_option, rule.options)),
    }
    wrong = next((part for part, is_right in parts.items() if not is_right), None)
    return wrong and f"gives rule {rule.code} something as {wrong} that is none"


def _matches(pattern: re.Pattern[str], text: object) -> bool:
    return isinstance(text, str) and pattern.fullmatch(text) is not None


def _is_a(kind: type, value: object) -> bool:
    return isinstance(value, kind)


def _is_function(check: object) -> bool:
    return callable(check) and isinstance(getattr(check, "__module__", None), str)


def _is_option(option: object) -> bool:
    if not isinstance(option, Option) or not (_is_a(str, option.name) and _is_a(str, option.help)):
        return False
    default = option.default
    is_list = isinstance(default, tuple) and all(isinstance(item, str) for item in default)
    return is_list or isinstance(default, bool | int | float | str)


def _keys(rule: Rule) -> tuple[str, str]:
    return rule.code, rule.name


def _info(rule: Rule, family: str, home: str) -> RuleInfo:
    folder = os.path.dirname(getattr(sys.modules.get(rule.check.__module__), "__file__", None) or "")
    page = os.path.join(folder, rule.name.replace("-", "_") + ".md")
    options = tuple((option.name, option.default, option.help) for option in rule.options)
    fix = rule.fix.value if rule.fix else None
    return RuleInfo(rule.code, rule.name, rule.severity.value, rule.clause, family, fix, options, page, home)


def _digest(version: str, modules: Iterable[str]) -> str:
    digest = hashlib.sha256(version.encode())
    for path in sorted({path for module in modules for path in _sources(module)}):
        with suppress(OSError), open(path, "rb") as file:  # a module in an archive has its version alone
            digest.update(file.read())
    return digest.hexdigest()


def _sources(module: str) -> Iterator[str]:
    """The files of the outermost regular package around a module; a namespace may hold packages of other people."""
    names = module.split(".")
    parents = (sys.modules.get(".".join(names[:count])) for count in range(1, len(names) + 1))
    files = (getattr(parent, "__file__", None) for parent in parents)
    file = next((os.path.abspath(file) for file in files if file), None)
    if file is None:
        return
    if not os.path.basename(file).startswith("__init__."):
        yield file
        return
    for folder, folders, entries in os.walk(os.path.dirname(file)):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (os.path.join(folder, entry) for entry in entries if entry.endswith(_SOURCE_SUFFIXES))
