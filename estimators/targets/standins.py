"""Stand-ins for what a user's file needs and an estimate does not: command lines and missing packages."""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NoReturn

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.options import Scalar
from dnnlint.estimators.targets.notes import Notes
from dnnlint.estimators.targets.packages import how_to_install


class MissingValue:
    """The value of a command-line option that has no default; using it says so."""

    def __init__(self, name: str) -> None:
        """Stand for the option ``name``."""
        self._name = name

    def _refuse(self, *arguments: object) -> NoReturn:
        raise TargetError(
            f"The model depends on the command-line option '{self._name}', which has no default.",
            f"Give --arg {self._name}=VALUE.",
        )

    def __bool__(self) -> bool:
        """Not given, like an option without a value."""
        return False

    __index__ = __int__ = __float__ = __str__ = __fspath__ = __iter__ = __len__ = __call__ = __getitem__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __floordiv__ = __mod__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _refuse


class CommandLine:
    """Answers the argparse parsers of a file with their defaults, overridden by given values."""

    def __init__(self, values: Mapping[str, Scalar], notes: Notes) -> None:
        """Answer with ``values`` before defaults."""
        self.taken: set[str] = set()
        """Given values that a parser knew."""
        self._missing: set[str] = set()
        self._values = values
        self._notes = notes

    def install(self) -> None:
        """Replace ``parse_known_args``, which all ways to parse go through."""
        original = argparse.ArgumentParser.parse_known_args

        def parse_known_args(parser: Any, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
            required = _relax(parser)
            result, rest = original(parser, [] if args is None else args, namespace)
            self._fill(parser, result, required)
            self._notes.notice("command-line options have their defaults, or the values of --arg")
            return result, rest

        argparse.ArgumentParser.parse_known_args = parse_known_args  # type: ignore[assignment,method-assign]

    def _fill(self, parser: Any, result: Any, required: list[Any]) -> None:
        for action in parser._actions:
            if action.dest in self._values:
                value = self._values[action.dest]
                setattr(result, action.dest, action.type(value) if action.type and isinstance(value, str) else value)
                self.taken.add(action.dest)
            elif action in required and getattr(result, action.dest, None) is None:
                self._missing.add(action.dest)
                setattr(result, action.dest, MissingValue(action.dest))

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Name the options without default when native code stumbles over one."""
        try:
            yield
        except TypeError as error:
            if MissingValue.__name__ not in str(error):
                raise
            names = sorted(self._missing)
            raise TargetError(
                f"The model depends on a command-line option that has no default: {' or '.join(names)}.",
                f"Give {' '.join(f'--arg {name}=VALUE' for name in names)}.",
            ) from error


def _relax(parser: Any) -> list[Any]:
    """Make nothing required; returns the actions that were."""
    required = [action for action in parser._actions if action.required or not action.option_strings]
    for action in required:
        action.required = False
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction):
            action.nargs = "?"
    for group in parser._mutually_exclusive_groups:
        group.required = False
    return required


MISSING_BASE = "missing_base"
"""Attribute of classes that derive from a stand-in: the name of the base that is not installed."""


class StandIn(ModuleType):
    """A package that is not installed: it can be imported and named, and it fails when a model uses it."""

    __path__: list[str] = []  # noqa: RUF012 - the import system asks for a list

    def __getattr__(self, name: str) -> Any:
        """Answer every name but the import system's own."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _Name(f"{self.__name__}.{name}")


class _Name:
    """A name of a stand-in; as a decorator it leaves functions alone."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> _Name:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _Name(f"{self._name}.{name}")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        if len(arguments) == 1 and not options and callable(arguments[0]) and not isinstance(arguments[0], _Name):
            return arguments[0]
        package = self._name.partition(".")[0]
        raise TargetError(
            f"The model uses {self._name}, and the package '{package}' is not installed.",
            how_to_install(self._name),
        )

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """Let classes that are not part of the model derive from it; the class remembers what it lacks."""
        return (type(MISSING_BASE, (), {MISSING_BASE: self._name}),)


class MissingPackages(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answer imports that the user's own files make and nobody else can answer.

    An import whose failure the file handles (``try: import flash_attn``) fails as it would.
    """

    def __init__(self, projects: Sequence[Path], notes: Notes) -> None:
        """Answer for files below the ``projects`` folders."""
        self._projects = [str(path.resolve()) for path in projects]
        self._notes = notes

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return a stand-in's spec for an import statement of the project outside ``try``."""
        parent = sys.modules.get(name.rpartition(".")[0])
        if parent is not None and not isinstance(parent, StandIn):
            return None
        frame = _importing_frame()
        if frame is None or not self._is_project(frame.f_code.co_filename) or _is_handled(frame):
            return None
        if parent is None:
            self._notes.notice(f"the package '{name}' is not installed: a stand-in that does nothing takes its place")
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def _is_project(self, filename: str) -> bool:
        installed = any(part in filename for part in ("site-packages", "dist-packages"))
        return not installed and filename.startswith(tuple(self._projects))

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Make the stand-in."""
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it empty."""


def _importing_frame() -> FrameType | None:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and "importlib._bootstrap" in frame.f_code.co_filename:
        frame = frame.f_back
    return frame


def _is_handled(frame: FrameType) -> bool:
    """True if the running line stands in the body of a ``try`` with handlers."""
    try:
        tree = ast.parse(Path(frame.f_code.co_filename).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return False
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Try)
            and node.handlers
            and node.body[0].lineno <= frame.f_lineno <= (node.body[-1].end_lineno or 0)
        ):
            return True
    return False
