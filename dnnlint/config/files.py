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
    """Read a configuration file that was named or found.

    Raises:
        UsageError: the file cannot be read, is not TOML, or holds an invalid setting.
    """
    table = _dnnlint_table(path)
    if table is None:
        raise UsageError(f"{path}: no table [tool.dnnlint]")
    from dnnlint.config.parse import parse_config

    return parse_config(table, os.path.dirname(os.path.abspath(path)), path, selectors)


class ConfigFinder:
    """The configuration of each folder, looked up once a folder."""

    def __init__(self, selectors: Selectors, fixed: Config | None = None) -> None:
        """Look configurations up, unless one was named that governs every file."""
        self._selectors = selectors
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
            if os.path.isfile(path) and _dnnlint_table(path) is not None:
                return load_config(_displayed(path), self._selectors)
        return None


def _dnnlint_table(path: str) -> dict[str, object] | None:
    data = _read(path)
    is_pyproject = os.path.basename(path) == PYPROJECT
    if is_pyproject and b"dnnlint" not in data:
        # Someone else's pyproject.toml: neither worth the import of a parser nor ours to complain about.
        return None
    document = _parse_toml(data, path)
    if not is_pyproject:
        tool = document.get("tool")
        nested = tool.get("dnnlint") if isinstance(tool, dict) else None
        return nested if isinstance(nested, dict) and len(document) == 1 else document
    tool = document.get("tool")
    table = tool.get("dnnlint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{path}: tool.dnnlint: expected a table")
    return table


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
