"""Extend dnnlint/knowledge/releases.json by the releases that pip's package index knows.

    python benchmarks/version_table.py            # writes the file
    python benchmarks/version_table.py --check    # says whether the index knows newer releases

Nothing large is downloaded: pip reads the metadata of a wheel alone where the index offers it. Which index is asked is
a matter of pip's own configuration.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).parent.parent / "dnnlint" / "knowledge" / "releases.json"
PYTHONS = [f"3.{minor}" for minor in range(6, 15)]
FIRST_TORCH = (1, 7)
COMPANIONS = ("torchvision", "torchaudio")
PINNED = re.compile(r"^torch\s*\(?==\s*([\d.]+)")
CUDA = re.compile(r"^(?:nvidia-cuda-runtime(?:-cu\d+)?|cuda-toolkit)(?:\[[^\]]*\])?\s*\(?==\s*(\d+\.\d+)")
CUDNN = re.compile(r"^nvidia-cudnn-cu\d+\s*\(?==\s*([\d.]+)")


def pip(*arguments: str) -> str:
    """The output of pip; empty when it fails, as for a version that has no wheel."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def versions(package: str, python: str) -> list[str]:
    """The releases of a package with a wheel for a version of Python, the newest first."""
    text = pip("index", "versions", package, "--python-version", python, "--only-binary=:all:")
    match = re.search(r"Available versions: (.*)", text)
    return match.group(1).split(", ") if match else []


def requirements(package: str, version: str, python: str) -> list[str]:
    """What a release requires, from its metadata."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        options = ["--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--only-binary=:all:"]
        target = ["--python-version", python, "--target", folder, "--report", str(report)]
        pip("install", *options, *target, f"{package}=={version}")
        if not report.exists():
            return []
        return json.loads(report.read_text())["install"][0]["metadata"].get("requires_dist", [])


def as_numbers(version: str) -> tuple[int, ...]:
    """A release number that sorts."""
    return tuple(int(part) for part in version.split("."))


def first_match(pattern: re.Pattern[str], lines: list[str]) -> str | None:
    """The first group of the first line that matches."""
    return next((match.group(1) for line in lines if (match := pattern.match(line))), None)


def collect(known: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """Every release of torch with what goes with it; what is known is not asked for again."""
    pythons: dict[str, list[str]] = {}
    for python in PYTHONS:
        for version in versions("torch", python):
            if re.fullmatch(r"[\d.]+", version) and as_numbers(version) >= FIRST_TORCH:
                pythons.setdefault(version, []).append(python)
    releases: dict[str, dict[str, object]] = {}
    for version in sorted(pythons, key=as_numbers):
        row: dict[str, object] = {"python": pythons[version]}
        if version in known and {"cuda", "cudnn"} <= set(known[version]):
            row.update({key: known[version][key] for key in ("cuda", "cudnn")})
        else:
            lines = requirements("torch", version, pythons[version][-1])
            row.update({"cuda": first_match(CUDA, lines), "cudnn": first_match(CUDNN, lines)})
        releases[version] = row
    for package in COMPANIONS:
        add_companions(package, releases, known)
    return releases


def add_companions(package: str, releases: dict[str, dict[str, object]], known: dict[str, dict[str, object]]) -> None:
    """Note, for each release of torch, the releases of another package that require exactly it."""
    found = {version: python for python in PYTHONS for version in versions(package, python)}
    asked = {item: version for version, row in known.items() for item in as_list(row.get(package))}
    for version in sorted((item for item in found if re.fullmatch(r"[\d.]+", item)), key=as_numbers):
        torch = asked.get(version) or first_match(PINNED, requirements(package, version, found[version]))
        if torch in releases:
            releases[torch][package] = [*as_list(releases[torch].get(package)), version]


def as_list(value: object) -> list[str]:
    """A list from the file, or an empty one."""
    return [str(item) for item in value] if isinstance(value, list) else []


def main() -> int:
    """Write the table, or compare it with the index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether there is anything new")
    arguments = parser.parse_args()
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {"releases": {}}
    if arguments.check:
        newest = max((item for item in versions("torch", PYTHONS[-1]) if re.fullmatch(r"[\d.]+", item)), key=as_numbers)
        state = "has" if newest in table["releases"] else "lacks"
        print(f"the newest torch of the index is {newest}; the table {state} it")
        return 0 if newest in table["releases"] else 1
    table["releases"] = collect(table["releases"])
    table["source"] = (
        "The metadata of the packages torch, torchvision and torchaudio, read by benchmarks/version_table.py"
    )
    table["date"] = datetime.datetime.now(tz=datetime.timezone.utc).date().isoformat()
    rows = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in table["releases"].items())
    head = f'{{\n  "source": {json.dumps(table["source"])},\n  "date": "{table["date"]}",\n  "releases": {{\n'
    TABLE.write_text(f"{head}{rows}\n  }}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
