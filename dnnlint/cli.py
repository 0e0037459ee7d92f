"""The command line: finds the verb, imports its module, and turns failures into exit codes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from dnnlint import __version__
from dnnlint.commands.pipes import guarded_output, require_streams
from dnnlint.engine.errors import UsageError

EXIT_FAILURE = 2
EXIT_INTERRUPTED = 130

VERBS = ("check", "estimate", "doctor", "monitor", "rule", "clean", "completion")
"""Each is a module in dnnlint/commands with ``add_parser(subparsers)`` and ``run(args) -> int``."""


class Verb(Protocol):
    """What a module in dnnlint/commands offers."""

    def add_parser(self, subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
        """Add the parser of the verb, with its function ``run`` as the default of ``run``."""


def build_parser(verbs: Sequence[str] = VERBS) -> argparse.ArgumentParser:
    """The parser of the whole command line, or of some verbs: each imports what it needs."""
    parser = argparse.ArgumentParser(
        prog="dnnlint",
        description="Find what is wrong with neural-network training code, without running it.",
        epilog="Exit codes: 0 nothing found, 1 findings, 2 the command could not be carried out.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"dnnlint {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", prog="dnnlint")
    for verb in verbs:
        module: Verb = import_module(f"dnnlint.commands.{verb}")
        module.add_parser(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    code = 0
    try:
        require_streams()
        _require_working_folder()
        with guarded_output():
            code = _run(given)
    except UsageError as error:
        print(f"dnnlint: error: {error}", file=sys.stderr)
        return EXIT_FAILURE
    except KeyboardInterrupt:
        print("dnnlint: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except Exception:
        # A bug of the tool; it must not leave with 1, which means findings.
        import traceback

        traceback.print_exc()
        print("dnnlint: error: this is a bug in dnnlint, please report it", file=sys.stderr)
        return EXIT_FAILURE
    return code


def _run(given: list[str]) -> int:
    # Only the modules of the verb in use are imported; help and errors need all of them.
    verb = next((word for word in given if not word.startswith("-")), None)
    if verb is not None and verb not in VERBS:
        _suggest_check(verb, given)
    parser = build_parser((verb,) if verb in VERBS else VERBS)
    _be_lenient_about_characters()
    args = parser.parse_args(given)
    if args.command is None:
        parser.print_help(sys.stderr)
        return EXIT_FAILURE
    code: int = args.run(args)
    return code


def _suggest_check(word: str, given: list[str]) -> None:
    if word.endswith((".py", ".pyw", ".ipynb")) or os.path.exists(word):
        import shlex

        command = shlex.join(["dnnlint", "check", *given])
        raise UsageError(f'unknown command "{word}" (did you mean `{command}`?)')


def _require_working_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise UsageError(f"the working folder cannot be used: {error.strerror}") from error


def _be_lenient_about_characters() -> None:
    """Names and source lines may hold characters that the terminal has no encoding for."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
