"""Where the outcome of ``dnnlint check`` goes: standard output, a file, standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping

from dnnlint.engine.errors import UsageError
from dnnlint.engine.excerpts import Excerpts
from dnnlint.engine.model import FileError, RunResult
from dnnlint.reports import render
from dnnlint.reports.escape import escaped

PROGRESS_AFTER_S = 1.0


def write_report(args: argparse.Namespace, run: RunResult, given: Mapping[str, bytes], *, to_stderr: bool) -> None:
    """Write the report in the wanted format to its place."""
    if args.statistics:
        from dnnlint.reports.statistics import render_statistics

        pieces: Iterable[str] = render_statistics(args.format, run)
    elif args.output is None and not to_stderr and args.format in ("text", "concise") and _wants_colour():
        from dnnlint.reports.colour import print_coloured

        print_coloured(args.format, run, Excerpts(given), is_quiet=args.quiet)
        return
    else:
        pieces = render(args.format, run, Excerpts(given), is_quiet=args.quiet)
    if args.output is not None and not _is_stdout(args.output):
        write_file(args.output, pieces)
    else:
        (sys.stderr if to_stderr else sys.stdout).writelines(pieces)


def report_errors(errors: Iterable[FileError]) -> None:
    """Say on standard error what could not be done."""
    for error in errors:
        print(f"dnnlint: error: {escaped(error.path)}: {escaped(error.message)}", file=sys.stderr)


def progress_printer(args: argparse.Namespace) -> Callable[[int, int], None] | None:
    """A counter on the terminal for runs of more than a second, or None where nobody watches."""
    if args.quiet or not sys.stderr.isatty():
        return None
    import time

    started = time.monotonic()

    def show(done: int, total: int) -> None:
        if time.monotonic() - started > PROGRESS_AFTER_S:
            end = "\r" if done < total else "\r" + " " * 40 + "\r"
            print(f"checked {done} of {total} files", end=end, file=sys.stderr, flush=True)

    return show


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def _is_stdout(path: str) -> bool:
    """Whether a path such as /dev/stdout names what standard output goes to, perhaps a file that is appended to."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):  # no such file yet, or standard output is no file
        return False


def write_file(path: str, pieces: Iterable[str]) -> None:
    """Write a report to a file in one step, or into a pipe or a device as it is.

    Raises:
        UsageError: it cannot be written.
    """
    from dnnlint.engine.atomic import write_atomically

    data = "".join(pieces).encode("utf-8", "backslashreplace")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:  # a pipe or a device cannot be replaced
                file.write(data)
        else:
            write_atomically(path, data)
    except OSError as error:
        raise UsageError(f"{path}: cannot write the report: {error.strerror}") from error
