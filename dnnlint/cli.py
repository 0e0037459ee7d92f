"""The command line: finds the verb, imports its module, and turns failures into exit codes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from dnnlint import __version__
from dnnlint.commands.pipes import quiet_about_closed_pipe
from dnnlint.engine.errors import UsageError

EXIT_FAILURE = 2
EXIT_INTERRUPTED = 130

VERBS = ("check", "estimate", "rule", "clean", "completion")
"""Each is a module in dnnlint/commands with ``add_parser(subparsers)`` and ``run(args) -> int``."""


class Verb(Protocol):
    """What a module in dnnlint/commands offers."""

    def add_parser(self, subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
        """Add the parser of the verb, with its function ``run`` as the default of ``run``."""


def build_parser(verbs: Sequence[str] = VERBS) -> argparse.ArgumentParser:
    """The parser of the whole command line, or of some verbs: each imports what it needs."""
    parser = argparse.ArgumentParser(
        prog="dnnlint",
        description="Find what is wrong with neural-network training code, and whether it fits in memory.",
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
    # Only the modules of the verb in use are imported; help and errors need all of them.
    verb = next((word for word in given if not word.startswith("-")), None)
    parser = build_parser((verb,) if verb in VERBS else VERBS)
    _be_lenient_about_characters()
    args = parser.parse_args(given)
    if args.command is None:
        parser.print_help(sys.stderr)
        return EXIT_FAILURE
    return _guarded(args)


def _guarded(args: argparse.Namespace) -> int:
    try:
        code: int = 0
        with quiet_about_closed_pipe():
            code = args.run(args)
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


def _be_lenient_about_characters() -> None:
    """Names and source lines may hold characters that the terminal has no encoding for."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
