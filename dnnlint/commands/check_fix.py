"""The part of ``dnnlint check`` that changes files, or shows how it would."""

from __future__ import annotations

import argparse
import sys

from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.discovery import Target
from dnnlint.engine.fixing import SAFE, SAFE_AND_UNSAFE, FixedFile, fix_targets, unified_diff, write_fixed
from dnnlint.engine.model import FileError, RunResult
from dnnlint.reports.escape import escaped


def apply_fixes(
    args: argparse.Namespace,
    run: RunResult,
    targets: list[Target],
    selectors: Selectors,
    resolver: SettingsResolver,
    given: dict[str, bytes],
) -> tuple[FileError, ...]:
    """Fix the checked files, print a patch for ``--diff``, or print the fixed standard input; return what failed."""
    safeties = SAFE_AND_UNSAFE if args.unsafe_fixes else SAFE
    applied = files = 0
    errors: list[FileError] = []
    for fixed in fix_targets(run, targets, selectors, resolver, safeties, given):
        _tell_refused(fixed)
        problem = _carry_out(fixed, args, given) if fixed.applied else None
        if problem is not None:
            errors.append(FileError(fixed.target.name, f"not fixed: {problem}"))
        elif fixed.applied:
            applied += fixed.applied
            files += 1
    if given and not args.diff:
        sys.stdout.flush()
        for data in given.values():
            sys.stdout.buffer.write(data)
    if not args.quiet:
        done = "Would fix" if args.diff else "Fixed"
        where = f"{files} file" if files == 1 else f"{files} files"
        print(f"{done} {applied} of {len(run.findings)} findings, in {where}.", file=sys.stderr)
    return tuple(errors)


def _carry_out(fixed: FixedFile, args: argparse.Namespace, given: dict[str, bytes]) -> str | None:
    """Write a fixed file or show the change; return what went wrong."""
    name = fixed.target.name
    if args.diff:
        sys.stdout.write(unified_diff(fixed))
    elif name in given:
        given[name] = fixed.source.encode(fixed.text)
    else:
        return write_fixed(fixed)
    return None


def _tell_refused(fixed: FixedFile) -> None:
    for finding in fixed.refused:
        place = f"{escaped(finding.path)}:{finding.line}:{finding.column}"
        print(f"dnnlint: {place}: the fix of {finding.code} was not applied: it would not help", file=sys.stderr)
