"""Measure `dnnlint check`: against the parse alone, against other linters, at start-up, and as files grow.

    python benchmarks/lint_speed.py --corpus timm --peers path/to/an/environment/bin

The corpus is the name of an installed package or a folder. Peers (torch-preflight, TorchFix, Fixit) are measured when
their commands lie in the folder given. Prints tables and writes results/lint_speed.json beside this file.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import statistics
import sys
import tempfile
from functools import partial
from importlib import metadata
from pathlib import Path

import libcst

from corpus import SourceFile, long_function, package_folder, spread, training_files, training_program
from dnnlint.cli import main as dnnlint
from timing import cpu_seconds, interleave, medians, run_command, time_call, wall_ms

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "image_classification" / "train_faulty.py"
RESULTS = Path(__file__).parent / "results" / "lint_speed.json"
COMMAND = [sys.executable, "-m", "dnnlint"]
UNCACHED = ["check", "--no-cache", "-j", "1", "--format", "concise"]
BATCH_LINES = 2_000
PEERS = {
    "torch-preflight": ["torch-preflight", "check", "-j", "1", "--no-color"],
    "TorchFix": ["torchfix", "-j", "1", "--select", "ALL"],
    "Fixit": ["fixit", "lint"],
}

Table = dict[str, dict[str, float]]


def parse(files: list[SourceFile]) -> None:
    """What every tool on libcst pays at least."""
    for file in files:
        libcst.parse_module(file.text)


def check(paths: list[str]) -> None:
    """The whole check in this process, report included."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = dnnlint([*UNCACHED, *paths])
    if code not in (0, 1):
        raise RuntimeError(f"dnnlint ended with {code}")


def batches(files: list[SourceFile]) -> list[list[SourceFile]]:
    """Groups of about BATCH_LINES lines: parse and check alternate at this grain."""
    groups: list[list[SourceFile]] = [[]]
    for file in files:
        if sum(member.lines for member in groups[-1]) >= BATCH_LINES:
            groups.append([])
        groups[-1].append(file)
    return groups


def measure_ratio(files: list[SourceFile], repeats: int) -> dict[str, float]:
    """Whole check over parse alone; the ratio is taken within a round, its median over the rounds."""
    groups = batches(files)
    rounds = []
    for _ in range(repeats + 1):
        parse_s = check_s = 0.0
        for group in groups:
            paths = [str(file.path) for file in group]
            parse_s += time_call(partial(parse, group))
            check_s += time_call(partial(check, paths))
        rounds.append((parse_s, check_s))
    rounds = rounds[1:]  # the first one loads modules and fills file caches
    lines = sum(file.lines for file in files)
    return {
        "files": len(files),
        "lines": lines,
        "parse_lines_per_s": lines / statistics.median(parse_s for parse_s, _ in rounds),
        "check_lines_per_s": lines / statistics.median(check_s for _, check_s in rounds),
        "ratio": statistics.median(check_s / parse_s for parse_s, check_s in rounds),
        "ratio_min": min(check_s / parse_s for parse_s, check_s in rounds),
        "ratio_max": max(check_s / parse_s for parse_s, check_s in rounds),
    }


def measure_peers(files: list[SourceFile], peers: Path, repeats: int) -> Table:
    """CPU time of whole commands, start-up included, over the parse alone of the same files in the same rounds."""
    paths = [str(file.path) for file in files]
    commands = {"dnnlint": [*COMMAND, *UNCACHED]}
    for name, (program, *options) in PEERS.items():
        if (peers / program).exists():
            commands[name] = [str(peers / program), *options]
    with tempfile.TemporaryDirectory() as folder:
        runs = {name: partial(cpu_seconds, [*command, *paths], Path(folder)) for name, command in commands.items()}
        seconds = interleave({"parse alone": partial(time_call, partial(parse, files)), **runs}, repeats)
    middle = medians(seconds)
    return {name: {"cpu_s": value, "ratio": value / middle["parse alone"]} for name, value in middle.items()}


def measure_startup(repeats: int) -> Table:
    """Wall milliseconds of whole commands, and what they add to a bare interpreter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plain.py").write_text("import json\n\nprint(json.dumps({}))\n", encoding="utf-8")
        (folder / "train.py").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
        commands = {
            "bare python": [sys.executable, "-c", "pass"],
            "import libcst": [sys.executable, "-c", "import libcst"],
            "dnnlint --version": [*COMMAND, "--version"],
            "one file without torch": [*COMMAND, "check", "plain.py"],
            "cache hit": [*COMMAND, "check", "train.py"],
            "one uncached file": [*COMMAND, "check", "--no-cache", "train.py"],
        }
        for command in commands.values():  # fills the cache of dnnlint and those of the system
            run_command(command, folder)
        runs = {name: partial(wall_ms, command, folder) for name, command in commands.items()}
        middle = medians(interleave(runs, repeats))
    return {name: {"ms": value, "over_bare_ms": value - middle["bare python"]} for name, value in middle.items()}


def measure_growth(repeats: int) -> Table:
    """Seconds for generated sources: linear growth keeps the microseconds a line the same."""
    sources = {f"{loops} training loops": training_program(loops) for loops in (100, 200, 400, 800)}
    sources["one function with 5,000 calls"] = long_function(5_000)
    table: Table = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources.items():
            path = Path(folder, "generated.py")
            path.write_text(text, encoding="utf-8")
            file = SourceFile(path, text)
            runs = {
                "parse_s": partial(time_call, partial(parse, [file])),
                "check_s": partial(time_call, partial(check, [str(path)])),
            }
            middle = medians(interleave(runs, repeats))
            table[name] = {"lines": file.lines, **middle, "check_us_per_line": 1e6 * middle["check_s"] / file.lines}
    return table


def show(title: str, table: Table) -> None:
    """Print one table, numbers right-aligned under their names."""
    columns = list(next(iter(table.values())))
    print(f"\n{title}\n{'':32}" + "".join(f"{column:>19}" for column in columns))
    for name, row in table.items():
        numbers = (f"{row[column]:,.2f}" if abs(row[column]) < 10 else f"{row[column]:,.0f}" for column in columns)
        print(f"{name:32}" + "".join(f"{number:>19}" for number in numbers))


def machine() -> dict[str, str]:
    """What the figures depend on, without naming the machine."""
    return {
        "python": platform.python_version(),
        "libcst": metadata.version("libcst"),
        "cpus": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
    }


def main() -> None:
    """Run every measurement that the options allow, print and store it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", default="timm", help="installed package or folder (default: timm)")
    parser.add_argument("--lines", type=int, default=20_000, help="size of the sample for the ratio to parsing")
    parser.add_argument("--peer-lines", type=int, default=6_000, help="size of the sample for the other linters")
    parser.add_argument("--peers", type=Path, default=Path(sys.executable).parent, help="folder of their commands")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--startup-repeats", type=int, default=21)
    args = parser.parse_args()
    files = training_files(package_folder(args.corpus))
    ratio = {"whole check, one process": measure_ratio(spread(files, args.lines), args.repeats)}
    show(f"Against libcst.parse_module on {args.corpus}", ratio)
    peers = measure_peers(spread(files, args.peer_lines), args.peers.absolute(), args.repeats)
    show("Whole commands, CPU time", peers)
    startup = measure_startup(args.startup_repeats)
    show("Start-up", startup)
    growth = measure_growth(args.repeats)
    show("Growth", growth)
    RESULTS.parent.mkdir(exist_ok=True)
    record = {"machine": machine(), "ratio": ratio, "peers": peers, "startup": startup, "growth": growth}
    RESULTS.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(f"\nWritten to {RESULTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
