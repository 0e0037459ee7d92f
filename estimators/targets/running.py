"""Run the planned statements of a file and hand out its model and hooks."""

from __future__ import annotations

import ast
import contextlib
import importlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from torch import nn

from dnnlint.estimators.errors import EstimateError, TargetError
from dnnlint.estimators.options import Scalar
from dnnlint.estimators.simulation import SimulationError
from dnnlint.estimators.targets.notes import Notes
from dnnlint.estimators.targets.packages import how_to_install
from dnnlint.estimators.targets.source import Plan
from dnnlint.estimators.targets.standins import MISSING_BASE, CommandLine, MissingPackages

MODULE_NAME = "__dnnlint_target__"


class FileTarget:
    """A planned file; every ``build`` runs its statements anew, so that the model is always a new one."""

    def __init__(self, plan: Plan, arguments: Mapping[str, Scalar], notes: Notes) -> None:
        """Prepare the process for the file: its folders, its command line, its installed packages."""
        self._plan = plan
        self._arguments = dict(arguments)
        self._package, root = _package_of(plan.path)
        folders = [plan.path.parent, root, Path.cwd()]
        sys.path[:0] = [str(folder) for folder in dict.fromkeys(folders)]
        sys.argv = [str(plan.path)]
        sys.meta_path.append(MissingPackages([plan.path.parent, root], notes))
        self._command_line = CommandLine(arguments, notes)
        self._command_line.install()
        _import_installed_packages(plan, folders)
        self._namespace: dict[str, Any] | None = None

    def build(self) -> nn.Module:
        """Run the statements and return the model that the entry gives."""
        self._namespace = self._run()
        entry = self._plan.entry
        with _blame(f"building {entry.expression}", self._plan.path), self._command_line.explained():
            value = self._value(self._namespace)
        if not isinstance(value, nn.Module):
            kind, base = type(value).__name__, getattr(value, MISSING_BASE, None)
            if base is not None:
                package = base.partition(".")[0]
                raise TargetError(
                    f"{kind} derives from {base}, and the package '{package}' is not installed.",
                    how_to_install(base),
                )
            raise TargetError(
                f"{entry.name} in {self._plan.path.name} gives {kind}, which is no nn.Module.",
                "Name the model with --entry.",
            )
        return value

    def hook(self, name: str) -> Callable[..., Any] | None:
        """Return a hook that the file defines."""
        if name not in self._plan.hooks:
            return None

        def call(*arguments: Any) -> Any:
            if self._namespace is None:
                self._namespace = self._run()
            with _blame(f"running {name}()", self._plan.path):
                return self._namespace[name](*arguments)

        return call

    def _run(self) -> dict[str, Any]:
        module = ModuleType(MODULE_NAME)
        module.__dict__.update(__file__=str(self._plan.path), __package__=self._package)
        # Dataclasses and pickling look their module up.
        sys.modules[MODULE_NAME] = module
        body = ast.Module(list(self._plan.code.statements), [])
        with _blame(f"running {self._plan.path.name}", self._plan.path), self._command_line.explained():
            exec(compile(body, str(self._plan.path), "exec"), module.__dict__)
        return module.__dict__

    def _value(self, namespace: dict[str, Any]) -> object:
        entry = self._plan.entry
        given = {name: value for name, value in self._arguments.items() if name not in self._command_line.taken}
        if entry.kind in ("function", "class"):
            return namespace[entry.name](**given)
        if given:
            raise TargetError(
                f"Nothing in {self._plan.path.name} takes the argument {', '.join(given)}.",
                f"{entry.name} is a {entry.kind}; --arg is for argparse, functions and classes.",
            )
        return eval(entry.expression, namespace)


def _package_of(path: Path) -> tuple[str, Path]:
    """Return the package that a file belongs to ("" for a script) and the folder that holds its top."""
    parts: list[str] = []
    folder = path.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def _import_installed_packages(plan: Plan, folders: list[Path]) -> None:
    """Import libraries before the simulation starts, for which imports are neither meant nor fast."""
    for statement in plan.code.statements:
        for node in ast.walk(statement):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for name in names:
                top = name.partition(".")[0]
                local = any((folder / top).is_dir() or (folder / f"{top}.py").exists() for folder in folders)
                if not local:
                    # The statement itself reports what is wrong with it.
                    with contextlib.suppress(Exception):
                        importlib.import_module(name)


@contextlib.contextmanager
def _blame(action: str, path: Path) -> Any:
    """Name what was being done and the user's line in whatever exception comes out."""
    try:
        yield
    except (EstimateError, SimulationError, MemoryError):
        raise
    except ModuleNotFoundError as error:
        raise TargetError(
            f"{action} needs the package '{error.name}', which is not installed{line_of(error, path)}.",
            f"{how_to_install(error.name or '')} Or name another entry with --entry.",
        ) from error
    except Exception as error:
        if "can't allocate memory" in str(error):
            raise MemoryError from error
        text = str(error).strip().splitlines()
        raise TargetError(
            f"{action} raised {type(error).__name__}{': ' + text[0][:300] if text else ''}{line_of(error, path)}.",
            "Correct the file, name another entry with --entry, or give the arguments with --arg key=value.",
        ) from error


def line_of(error: BaseException, path: Path) -> str:
    """Return where in ``path`` an exception passed last, such as " (train.py:12)"."""
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" ({path.name}:{line})" if line is not None else ""
