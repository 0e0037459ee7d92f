"""``dnnlint doctor``: this machine against the checklist."""

from __future__ import annotations

import argparse


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb."""
    parser = subparsers.add_parser("doctor", help="check this machine", allow_abbrev=False)
    parser.set_defaults(run=lambda args: 0)
