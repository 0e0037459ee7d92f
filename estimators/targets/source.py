"""Plan what to run of a user's file; needs neither PyTorch nor the file's own imports."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dnnlint.estimators.errors import TargetError
from dnnlint.estimators.options import Scalar
from dnnlint.estimators.targets.entries import Entry, find_entry, missing_arguments
from dnnlint.estimators.targets.hints import Hints, read_hints
from dnnlint.estimators.targets.slicing import Slice, slice_module

HOOKS = ("example_inputs", "training_loss", "build_optimizer")
"""Functions that a file may define to say how its model is trained."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The part of a file that an estimate runs, the expression that gives the model, and what else the file states."""

    path: Path
    entry: Entry
    code: Slice
    hooks: frozenset[str]
    hints: Hints


def plan_file(path: Path, entry: str | None, arguments: Mapping[str, Scalar]) -> Plan:
    """Read ``path`` and find its model.

    Raises TargetError for a file that cannot be read or parsed, holds no model or several, or whose model needs
    ``arguments`` that are not given.
    """
    tree = _parse(path)
    found = find_entry(tree, entry)
    missing = missing_arguments(tree, found, set(arguments))
    if missing:
        values = " ".join(f"--arg {name}=VALUE" for name in missing)
        raise TargetError(f"{found.name} in {path.name} needs {', '.join(missing)}.", f"Give {values}.")
    hooks = frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in HOOKS)
    return Plan(path, found, slice_module(tree, found, hooks), hooks, read_hints(tree, arguments))


def _parse(path: Path) -> ast.Module:
    try:
        with tokenize.open(path) as file:
            source = file.read()
        return ast.parse(source, filename=str(path))
    except FileNotFoundError:
        raise TargetError(f"There is no file '{path}'.", "Check the path.") from None
    except OSError as error:
        raise TargetError(
            f"'{path}' cannot be read: {error.strerror}.", "Check the path and its permissions."
        ) from None
    except UnicodeDecodeError:
        raise TargetError(f"'{path}' is no text in its declared encoding.", "Save it as UTF-8.") from None
    except SyntaxError as error:
        place = f"line {error.lineno}" if error.lineno else "its coding line"
        raise TargetError(f"'{path}' does not parse: {error.msg} on {place}.", "Correct the syntax error.") from None
    except (ValueError, RecursionError) as error:
        raise TargetError(f"'{path}' does not parse: {error}.", "Check that it is a Python file.") from None
