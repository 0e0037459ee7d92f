"""Find and read configuration files: for each checked file the nearest one upwards wins."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module

from dnnlint.config.model import Config
from dnnlint.config.selectors import Selectors
from dnnlint.engine.errors import UsageError

PYPROJECT = "pyproject.toml"
OWN_FILE = "dnnlint.toml"


def load_config(path: str, selectors: Selectors) -> Config:
    """Read a configuration file that was named.

    Raises:
        UsageError: the file cannot be read, is not TOML, or holds an invalid setting.
    """
    config = _read_config(path, selectors)
    if config is None:
        raise UsageError(f"{path}: no table [tool.dnnlint]")
    return config


class ConfigFinder:
    """The configuration of each folder, looked up once a folder."""

    def __init__(self, selectors: Selectors, fixed: Config | None = None, keys: frozenset[str] | None = None) -> None:
        """Look configurations up, unless one was named that governs every file; ``keys`` ignores all other settings."""
        self._selectors = selectors
        self._keys = keys
        self._fixed = fixed
        self._by_folder: dict[str, Config | None] = {}
        self._default = Config(os.getcwd())

    def for_folder(self, folder: str) -> Config:
        """The configuration that governs the files of an absolute folder."""
        if self._fixed is not None:
            return self._fixed
        return self._nearest(folder) or self._default

    def _nearest(self, folder: str) -> Config | None:
        if folder not in self._by_folder:
            config = self._in_folder(folder)
            parent = os.path.dirname(folder)
            if config is None and parent != folder:
                config = self._nearest(parent)
            self._by_folder[folder] = config
        return self._by_folder[folder]

    def _in_folder(self, folder: str) -> Config | None:
        for name in (OWN_FILE, PYPROJECT):
            path = os.path.join(folder, name)
            config = _read_config(path, self._selectors, self._keys) if os.path.isfile(path) else None
            if config is not None:
                return config
        return None


def parse_toml_table(data: bytes, name: str) -> dict[str, object] | None:
    """The settings in a TOML document: below ``[tool.dnnlint]``, or everything in a file of our own.

    Raises:
        UsageError: the document is not TOML, or ``tool.dnnlint`` is no table.
    """
    document = _parse_toml(data, name)
    tool = document.get("tool")
    table = tool.get("dnnlint") if isinstance(tool, dict) else None
    if table is None and tool is None and os.path.basename(name) != PYPROJECT:
        return document
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{name}: tool.dnnlint: expected a table")
    return table


def _read_config(path: str, selectors: Selectors, keys: frozenset[str] | None = None) -> Config | None:
    data = _read(path)
    if os.path.basename(path) == PYPROJECT and b"dnnlint" not in data:
        # Someone else's pyproject.toml: neither worth the import of a parser nor ours to complain about.
        return None
    name = _displayed(path)
    table = parse_toml_table(data, name)
    if table is None:
        return None
    if keys is not None:
        table = {key: value for key, value in table.items() if key in keys}
    from dnnlint.config.parse import parse_config

    return parse_config(table, os.path.dirname(os.path.abspath(path)), name, selectors)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"{path}: cannot read the configuration: {error.strerror}") from error


def _parse_toml(data: bytes, path: str) -> dict[str, object]:
    loads: Callable[[str], dict[str, object]]
    loads = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads
    try:
        return loads(data.decode("utf-8-sig"))
    except ValueError as error:  # of which TOML and Unicode errors are kinds
        raise UsageError(f"{path}: not valid TOML: {error}") from error


def _displayed(path: str) -> str:
    here = os.getcwd() + os.sep
    return path[len(here) :] if path.startswith(here) else path
