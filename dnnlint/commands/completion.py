"""``dnnlint completion``: a completion script for the shell."""

from __future__ import annotations

import argparse
import sys

from dnnlint.engine.errors import UsageError

SHELLS = ("bash", "zsh", "tcsh", "fish")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the parser of the verb."""
    parser = subparsers.add_parser("completion", help="print a completion script for a shell", allow_abbrev=False)
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script, made from the parser itself."""
    try:
        import shtab
    except ModuleNotFoundError as error:
        message = "completion needs the package shtab: pip install 'dnnlint[completion]'"
        raise UsageError(message) from error
    from dnnlint.cli import build_parser

    if args.shell not in shtab.SUPPORTED_SHELLS:
        raise UsageError(f"the installed shtab knows no {args.shell}; a newer version does")
    sys.stdout.write(shtab.complete(build_parser(), shell=args.shell) + "\n")
    return 0
