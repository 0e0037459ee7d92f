"""Measure `dnnlint check` over a project of linked files: cold against the parse, and with nothing changed.

    python benchmarks/project_speed.py path/to/project

One process, CPU time. The parse is that of the files that the check parses: those that name a framework.
Prints one line.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import libcst

from dnnlint.cli import main as dnnlint
from dnnlint.engine.prefilter import concerns_training
from dnnlint.rules import all_rules


def parse(folder: Path) -> tuple[int, float]:
    """The number of Python files of a folder, and the CPU seconds that parsing those with training code takes."""
    texts = [path.read_text(errors="replace") for path in sorted(folder.rglob("*.py"))]
    wanted = [text for text in texts if concerns_training(text.encode())]
    start = time.process_time()
    for text in wanted:
        with contextlib.suppress(libcst.ParserSyntaxError):
            libcst.parse_module(text)
    return len(texts), time.process_time() - start


def check(folder: Path) -> float:
    """The CPU seconds of a check without cache in this process."""
    all_rules()
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = dnnlint(["check", "--no-cache", "--isolated", "-j", "1", "--exit-zero", str(folder)])
    if code != 0:
        raise RuntimeError(f"dnnlint ended with {code}")
    return time.process_time() - start


def unchanged(folder: Path) -> float:
    """The wall seconds of a whole command over a project that was checked before: the least of three."""
    with tempfile.TemporaryDirectory() as cache:
        config = Path(cache) / "dnnlint.toml"
        config.write_text(f'cache-dir = "{cache}/cache"\n')
        command = [sys.executable, "-m", "dnnlint", "check", "--config", str(config), "--exit-zero", "-q", str(folder)]
        times = []
        for _ in range(4):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - start)
    return min(times[1:])


def main() -> None:
    """Measure the folder of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    files, parsed = parse(folder)
    checked = check(folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{files} files: parse {parsed:.2f} s, check {checked:.2f} s, {checked / parsed:.2f} times the parse, "
        f"peak {peak} MiB, unchanged {unchanged(folder):.2f} s"
    )


if __name__ == "__main__":
    main()
