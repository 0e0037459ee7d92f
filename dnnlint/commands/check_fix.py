"""The part of ``dnnlint check`` that changes files, or shows how it would."""

from __future__ import annotations

import argparse
import sys

from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.discovery import Target
from dnnlint.engine.fixing import SAFE, SAFE_AND_UNSAFE, FixedFile, fix_targets, unified_diff, write_fixed
from dnnlint.engine.model import RunResult


def apply_fixes(
    args: argparse.Namespace,
    run: RunResult,
    targets: list[Target],
    selectors: Selectors,
    resolver: SettingsResolver,
    given: dict[str, bytes],
) -> None:
    """Fix the checked files, print a patch for ``--diff``, or print the fixed standard input."""
    safeties = SAFE_AND_UNSAFE if args.unsafe_fixes else SAFE
    applied = files = 0
    for fixed in fix_targets(run, targets, selectors, resolver, safeties, given):
        _tell_refused(fixed)
        if not fixed.applied:
            continue
        if _carry_out(fixed, args, given):
            applied += fixed.applied
            files += 1
    if given and not args.diff:
        sys.stdout.flush()
        for data in given.values():
            sys.stdout.buffer.write(data)
    if not args.quiet:
        done = "Would fix" if args.diff else "Fixed"
        print(f"{done} {applied} of {len(run.findings)} findings, in {files} files.", file=sys.stderr)


def _carry_out(fixed: FixedFile, args: argparse.Namespace, given: dict[str, bytes]) -> bool:
    name = fixed.target.name
    if args.diff:
        sys.stdout.write(unified_diff(fixed))
    elif name in given:
        given[name] = fixed.source.encode(fixed.text)
    elif problem := write_fixed(fixed):
        print(f"dnnlint: error: {name}: not fixed: {problem}", file=sys.stderr)
        return False
    return True


def _tell_refused(fixed: FixedFile) -> None:
    for finding in fixed.refused:
        place = f"{finding.path}:{finding.line}:{finding.column}"
        print(f"dnnlint: {place}: the fix of {finding.code} was not applied: it would not help", file=sys.stderr)
