"""The settings of a project, of a command line, and of one file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dnnlint.plugins import Plugin
    from dnnlint.rule import OptionValue

# Everything here is a named tuple and severities are words: the modules of a check that finds nothing do without the
# import of dataclasses, which is a quarter of the time that a check takes from the cache.
DEFAULT_EXCLUDE = (
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    ".eggs",
    "node_modules",
    "site-packages",
    "__pycache__",
    "__pypackages__",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".dnnlint_cache",
    "build",
    "dist",
)
"""Names of folders that hold no code of the project."""

SEVERITY_RANKS = {"error": 0, "warning": 1, "advice": 2}
"""The most severe first, as in ``dnnlint.finding.Severity``."""

CACHE_FOLDER = ".dnnlint_cache"


class Config(NamedTuple):
    """One configuration file, or the defaults of a project that has none."""

    root: str
    """The folder that patterns and the cache are relative to."""
    source: str | None = None
    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    fail_on: str = "warning"
    severity: Mapping[str, str | None] = {}
    """Overrides by rule code; None switches the rule off."""
    per_path_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    options: Mapping[str, Mapping[str, OptionValue]] = {}
    """Options by rule code."""
    cache_dir: str = CACHE_FOLDER
    monitor: Mapping[str, float] = {}
    """Thresholds of ``dnnlint monitor`` by key."""
    plugins: tuple[Plugin, ...] = ()
    """Whose rules take part; those of the command line as well."""

    @property
    def cache_path(self) -> str:
        """The folder of the cache."""
        return os.path.join(self.root, self.cache_dir)


class Overrides(NamedTuple):
    """Settings given on the command line; they win over every configuration file."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    fail_on: str | None = None


class RuleSettings(NamedTuple):
    """What the analysis of one file depends on beside its text."""

    severity: Mapping[str, str | None]
    """The enabled rules by code; a severity replaces that of the rule."""
    options: Mapping[str, Mapping[str, OptionValue]]
    key: str
    """A text that is equal exactly when the settings are; part of the key of the cache."""
    plugins: tuple[Plugin, ...] = ()
    """Whose rules are enabled as ``severity`` says."""
