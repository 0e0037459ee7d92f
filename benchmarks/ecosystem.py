"""Run `dnnlint check` over pinned public repositories and compare the counts of findings with the committed table.

    python -m benchmarks.ecosystem --repositories FOLDER [--clone] [--update] [--only OWNER/NAME] [--reports FOLDER]

``FOLDER`` holds one checkout a repository, named ``owner+name``; ``--clone`` fetches those that are missing. The list
is data/ecosystem.csv, the table results/ecosystem.csv; results/ecosystem.md says how to obtain the repositories and
what a reader found of each error. Exit codes: 0 nothing changed, 1 a count changed, 2 a repository is missing or lies
at another commit, or a check failed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.ecosystem_table import Counts, changes, read_counts, write_counts
from benchmarks.pinned_repositories import CheckoutError, Repository, clone, read_repositories, require_commit

HERE = Path(__file__).resolve().parent
REPOSITORIES = HERE / "data" / "ecosystem.csv"
TABLE = HERE / "results" / "ecosystem.csv"
CHECK = [sys.executable, "-m", "dnnlint", "check", "--isolated"]
REPORT = ["--no-cache", "--exit-zero", "--jobs", "1", "--format", "json"]
MAX_BYTES = 1_000_000
"""Larger files are notebooks full of pictures; copies of a repository without them give the same counts."""


class CheckFailedError(Exception):
    """The tool itself failed on a repository."""


def run_check(checkout: Path, *options: str) -> str:
    """What the tool prints for one checkout, with the default rules and no configuration of the repository's own."""
    # Python imports from the working folder first, and that must not be the code that is checked.
    command = [*CHECK, *options, str(checkout.resolve())]
    done = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=False)
    # With a report, code 2 means that some files failed: the report names them, and they are counted.
    if done.returncode and not done.stdout:
        raise CheckFailedError(f"{checkout.name}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def small_files(checkout: Path) -> set[str]:
    """The files that count, as the report names them."""
    names = run_check(checkout, "--show-files").splitlines()
    return {name for name in names if (HERE.parent / name).stat().st_size <= MAX_BYTES}


def count_findings(report: str, files: set[str]) -> Counter[str]:
    """The number of files, of files that failed, and of findings by severity and rule, such as ``error DNN101``."""
    document = json.loads(report)
    counts = Counter(files=len(files))
    if document["summary"]["errors"]:
        counts["failures"] = len(document["summary"]["errors"])
    for finding in document["findings"]:
        if finding["path"].partition(":cell ")[0] in files:
            counts[f"{finding['severity']} {finding['code']}"] += 1
    return counts


def check_repositories(repositories: Iterable[Repository], folder: Path, reports: Path | None) -> Counts:
    """The counts of each repository; keeps its report when a folder for it is named."""
    counts: Counts = {}
    for repository in repositories:
        checkout = folder / repository.folder
        report = run_check(checkout, *REPORT)
        counts |= {(repository.name, what): n for what, n in count_findings(report, small_files(checkout)).items()}
        if reports is not None:
            reports.mkdir(parents=True, exist_ok=True)
            (reports / f"{repository.folder}.json").write_text(report, encoding="utf-8")
        print(f"{repository.name}: {counts[repository.name, 'files']} files", file=sys.stderr, flush=True)
    return counts


def prepare(repositories: Iterable[Repository], folder: Path, source: str | None) -> None:
    """Make sure that every checkout is there at its commit; clone the missing ones when a source is named."""
    for repository in repositories:
        checkout = folder / repository.folder
        if source is not None and not checkout.exists():
            print(f"cloning {repository.name}", file=sys.stderr, flush=True)
            clone(repository, checkout, source)
        require_commit(repository, checkout)


def totals(counts: Counts) -> list[str]:
    """One line a rule: the number of findings in all repositories."""
    sums: Counter[str] = Counter()
    for (_, what), number in counts.items():
        sums[what] += number
    return [f"{what:16} {number:6}" for what, number in sorted(sums.items())]


def of_repositories(counts: Counts, chosen: list[Repository]) -> Counts:
    """The rows of the chosen repositories."""
    names = {repository.name for repository in chosen}
    return {key: number for key, number in counts.items() if key[0] in names}


def update(found: Counts, chosen: list[Repository], listed: list[Repository]) -> None:
    """Put new counts in the place of old ones; repositories that are on the list no more leave the table."""
    others = [repository for repository in listed if repository not in chosen]
    kept = of_repositories(read_counts(TABLE), others) if TABLE.exists() else {}
    write_counts(TABLE, kept | found)


def compare(found: Counts, chosen: list[Repository]) -> int:
    """Print every count that changed; returns the exit code."""
    lines = changes(of_repositories(read_counts(TABLE), chosen), found)
    print("\n".join(lines) if lines else "no count changed")
    return 1 if lines else 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repositories", type=Path, required=True, metavar="FOLDER", help="the checkouts")
    parser.add_argument("--only", action="append", metavar="OWNER/NAME", help="this repository; may be repeated")
    parser.add_argument("--clone", action="store_true", help="clone what FOLDER lacks")
    parser.add_argument("--source", default="https://github.com", metavar="URL", help="clone from URL/OWNER/NAME")
    parser.add_argument("--update", action="store_true", help="write the table instead of comparing with it")
    parser.add_argument("--reports", type=Path, metavar="FOLDER", help="keep the reports, for reading the findings")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, then compare or update; returns the exit code."""
    options = parse_arguments(arguments)
    listed = read_repositories(REPOSITORIES)
    chosen = [repository for repository in listed if not options.only or repository.name in options.only]
    try:
        prepare(chosen, options.repositories, options.source if options.clone else None)
        found = check_repositories(chosen, options.repositories, options.reports)
    except (CheckoutError, CheckFailedError) as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(totals(found)))
    if options.update:
        update(found, chosen, listed)
        return 0
    return compare(found, chosen)


if __name__ == "__main__":
    sys.exit(main())
