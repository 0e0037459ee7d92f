"""Count findings by rule on checkouts of public repositories, for reading them and for comparing two versions.

    python benchmarks/public_repositories.py FOLDER

``FOLDER`` holds one checkout a repository, named ``owner+name``. The counts go to ``results/public_repositories.csv``
beside this file; ``results/public_repositories.md`` names the commits and what a reader found of each error.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "public_repositories.csv"


def findings_of(folder: Path) -> list[dict[str, object]]:
    """The findings in one checkout, with the default rules and no configuration of its own."""
    command = [sys.executable, "-m", "dnnlint", "check", "--isolated", "--no-cache", "--exit-zero", "--format", "json"]
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=True)
    findings: list[dict[str, object]] = json.loads(done.stdout)["findings"]
    return findings


def counts_of(folder: Path) -> Counter[tuple[str, str, str]]:
    """The number of findings by repository, severity and rule."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for checkout in sorted(path for path in folder.iterdir() if path.is_dir()):
        for finding in findings_of(checkout):
            counts[checkout.name.replace("+", "/"), str(finding["severity"]), str(finding["code"])] += 1
    return counts


def main() -> None:
    """Write the counts and print the totals by rule."""
    counts = counts_of(Path(sys.argv[1]))
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["repository", "severity", "rule", "findings"])
        writer.writerows([*key, number] for key, number in sorted(counts.items()))
    totals: Counter[tuple[str, str]] = Counter()
    for (_, severity, code), number in counts.items():
        totals[severity, code] += number
    for (severity, code), number in sorted(totals.items()):
        print(f"{severity:8} {code} {number:5}")


if __name__ == "__main__":
    main()
