"""``dnnlint check --explain-program``: what the tool believes of a script."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dnnlint.engine.errors import UsageError
from dnnlint.engine.source import LineTable, SourceProblem, decode, read_bytes

if TYPE_CHECKING:
    from dnnlint.program.units import Unit

SCHEMA_VERSION = 1
_FORMATS = ("text", "json")


def explain_file(args: argparse.Namespace) -> int:
    """Print the explanation of one file.

    Raises:
        UsageError: the file cannot be read or parsed, or other arguments do not go with this one.
    """
    path: str = args.explain_program
    if args.paths:
        raise UsageError("--explain-program takes one file and no other paths")
    if args.format not in _FORMATS:
        raise UsageError(f"--explain-program prints text or json, not {args.format}")
    if path.endswith(".ipynb"):
        raise UsageError(f"{path}: --explain-program takes Python files, not notebooks")
    pieces = _explained(path, _read(path), args.format)
    if args.output is None:
        sys.stdout.writelines(pieces)
    else:
        from dnnlint.commands.check_output import write_file

        write_file(args.output, pieces)
    return 0


def _read(path: str) -> str:
    """The text of a file that libcst can be asked to parse."""
    from dnnlint.engine.guard import find_excess

    try:
        text = decode(read_bytes(path)).text
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    except SourceProblem as problem:
        raise UsageError(f"{path}:{problem.line}:{problem.column}: {problem.message}") from problem
    excess = find_excess(text)
    if excess is not None:
        line, column = LineTable(text).place(excess.offset)
        raise UsageError(f"{path}:{line}:{column}: {excess.message}")
    return text


def _explained(path: str, text: str, form: str) -> Iterable[str]:
    from dnnlint.engine.syntax import RECURSION_LIMIT

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        return _rendered(path, text, form)
    except RecursionError as error:
        raise UsageError(f"{path}: its statements or expressions are nested too deeply") from error
    finally:
        sys.setrecursionlimit(limit)


def _rendered(path: str, text: str, form: str) -> Iterable[str]:
    from dataclasses import asdict

    from dnnlint.engine.running import programs
    from dnnlint.program import Program
    from dnnlint.program.explain import explain, joined, related_files
    from dnnlint.program.units import PARSED
    from dnnlint.project.tree import Projects

    own = os.path.abspath(path)
    tree = Projects().tree(own, os.getcwd())
    unit = _parsed(path, own, text)
    PARSED.put(unit)
    cluster = tree.cluster(own)
    contents = ((file, tree.data(file)) for file in cluster)
    loaded = (unit if file == own else PARSED.load(file, data) for file, data in contents if data is not None)
    units: list[Unit] = [found for found in loaded if found is not None]
    made = [Program(units, tree)]
    if len(units) > 1:
        made = [program for program in programs(units, tree) if unit in program.linker.units]
    found = joined([explain(program, own, related_files(program, own), _name) for program in made])
    if form == "json":
        return [json.dumps({"schema_version": SCHEMA_VERSION, **asdict(found)}, indent=2) + "\n"]
    from dnnlint.reports.explain_text import render_explanation

    return [f"{line}\n" for line in render_explanation(found)]


def _parsed(path: str, own: str, text: str) -> Unit:
    import libcst as cst

    from dnnlint.engine.syntax import syntax_error
    from dnnlint.facts import collect_facts
    from dnnlint.program.units import Unit

    try:
        module = cst.parse_module(text)
    except RecursionError:
        raise
    except Exception as error:  # also of names that only a newer Unicode knows
        (line, column), message = syntax_error(text, error)
        raise UsageError(f"{path}:{line}:{column}: {message}") from error
    return Unit(own, text, module, collect_facts(module))


def _name(path: str) -> str:
    """How an answer names a file: relative to the working folder where it lies below it."""
    below = os.getcwd().rstrip(os.sep) + os.sep
    return path.removeprefix(below)
