"""``dnnlint doctor``: this machine against the checklist, and against what a script needs."""

from __future__ import annotations

import argparse
import json
import math
import os

from dnnlint.doctor.checks import checklist
from dnnlint.doctor.model import exit_code
from dnnlint.doctor.probes.gather import Plan, gather
from dnnlint.engine.errors import UsageError

DESCRIPTION = """\
Check this machine: GPUs, driver, CUDA against the installed PyTorch, processor, memory, disks, packages.

Nothing is changed, and nothing is imported but PyTorch, in a process of its own.
Exit codes: 0 nothing is wrong, 1 something is, 2 something that has to be known could not be found out.
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "doctor",
        help="check this machine",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--for", dest="script", metavar="FILE", help="check what this training script needs, too")
    parser.add_argument("--estimate", action="store_true", help="with --for: estimate its memory (needs PyTorch)")
    parser.add_argument(
        "--disk", nargs="?", const=".", metavar="FOLDER", help="test how fast a disk writes and reads 512 MiB"
    )
    parser.add_argument("--python", default="", metavar="FILE", help="the interpreter that will train (the active one)")
    parser.add_argument("--no-torch", action="store_true", help="do not import PyTorch")
    parser.add_argument("--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="limit of a probe (10)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--fail-on", choices=("attention", "wrong"), default="wrong", help="the least status that fails (wrong)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check and print; returns the exit code."""
    if args.estimate and not args.script:
        raise UsageError("--estimate needs --for FILE")
    if args.disk is not None and not os.path.isdir(args.disk):
        raise UsageError(f"{args.disk}: no such folder")
    needs = None
    if args.script:
        from dnnlint.doctor.needs import read_needs

        needs = read_needs(args.script)
    machine = gather(
        Plan(os.getcwd(), args.python, args.timeout, max(60.0, args.timeout), not args.no_torch, args.disk)
    )
    rows = checklist(machine)
    if needs is not None:
        from dnnlint.doctor.checks.script import check_script

        rows += check_script(needs, machine)
    if args.estimate:
        from dnnlint.doctor.checks.fit import check_fit

        rows.append(check_fit(args.script, machine, timeout_s=300.0))
    code = exit_code(rows, args.fail_on == "attention")
    if args.json:
        from dnnlint.doctor.report import encode

        print(json.dumps(encode(rows, machine, code), indent=2))
    else:
        from rich.console import Console

        from dnnlint.doctor.report import render

        render(rows, Console())
    return code


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f'expected a number of seconds, found "{text}"')
    return value
