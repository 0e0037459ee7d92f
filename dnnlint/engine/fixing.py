"""Fix files: read, fix, compare, write back."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dnnlint.config.model import RuleSettings
from dnnlint.config.selectors import Selectors
from dnnlint.config.settings import SettingsResolver
from dnnlint.engine.analyse import NOTEBOOK_SUFFIX, Job, Subject, check_file, check_source
from dnnlint.engine.atomic import write_atomically
from dnnlint.engine.discovery import Target
from dnnlint.engine.fixes import fix_text
from dnnlint.engine.model import FileResult, RunResult
from dnnlint.engine.neighbours import find_neighbours
from dnnlint.engine.source import Source, SourceProblem, decode, read_bytes
from dnnlint.finding import Finding, FixSafety
from dnnlint.project.tree import Projects

SAFE = frozenset((FixSafety.SAFE,))
SAFE_AND_UNSAFE = frozenset((FixSafety.SAFE, FixSafety.UNSAFE))


class FixedFile(NamedTuple):
    """A file with the outcome of its fixes; nothing is written yet."""

    target: Target
    data: bytes
    source: Source
    text: str
    """The fixed text."""
    applied: int
    refused: tuple[Finding, ...]


def fix_targets(
    run: RunResult,
    targets: list[Target],
    selectors: Selectors,
    resolver: SettingsResolver,
    safeties: frozenset[FixSafety],
    given: Mapping[str, bytes],
) -> Iterator[FixedFile]:
    """Fix each file that has a finding with a fix of the wanted safety, in order."""
    projects = Projects({target.path: given[target.name] for target in targets if target.name in given})
    by_path: dict[str, list[Finding]] = {}
    for finding in run.findings:
        by_path.setdefault(finding.path, []).append(finding)
    for target in targets:
        findings = by_path.get(target.name, [])
        if any(finding.fix is not None and finding.fix.safety in safeties for finding in findings):
            settings = resolver.for_file(target.path, target.config)
            fixed = _fix_target(target, settings, selectors, safeties, given, projects)
            if fixed is not None:
                yield fixed


def _fix_target(
    target: Target,
    settings: RuleSettings,
    selectors: Selectors,
    safeties: frozenset[FixSafety],
    given: Mapping[str, bytes],
    projects: Projects,
) -> FixedFile | None:
    tree = projects.tree(target.path, target.walked)

    def recheck(text: str) -> FileResult:
        if job.kind is not None:
            return check_file(job._replace(data=source.encode(text)), selectors)
        return check_source(Source(text), target.name, settings, selectors, Subject(target.path, tree))

    try:
        data = given[target.name] if target.name in given else read_bytes(target.path)
        source = decode(data)
    except (OSError, SourceProblem):
        return None  # it changed since it was checked
    job = Job(target.name, data, settings, target.path, target.walked, find_neighbours(target.path, data))
    if target.name.endswith(NOTEBOOK_SUFFIX) or (job.kind is None and not _round_trips(source.text)):
        return None
    # The file may have changed since it was checked, or the finding may come from the cache: check this very text.
    outcome = fix_text(source.text, recheck(source.text).findings, safeties, recheck)
    return FixedFile(target, data, source, outcome.text, outcome.applied, outcome.refused)


def _round_trips(text: str) -> bool:
    import libcst as cst

    try:
        return cst.parse_module(text).code == text
    except (cst.ParserSyntaxError, RecursionError):
        return False


def write_fixed(fixed: FixedFile) -> str | None:
    """Write a fixed file back in its encoding; return why it was not written, or None."""
    try:
        encoded = fixed.source.encode(fixed.text)
        if read_bytes(fixed.target.path) != fixed.data:
            return "it was changed by someone else meanwhile"
        write_atomically(fixed.target.path, encoded)
    except UnicodeEncodeError as error:
        return f"the fix does not fit the encoding of the file: {error.reason}"
    except OSError as error:
        return error.strerror or str(error)
    return None


def unified_diff(fixed: FixedFile) -> str:
    """The change as a patch."""
    from difflib import unified_diff as compare

    name = fixed.target.name.replace(os.sep, "/").lstrip("/")  # a patch names files relative to where it is applied
    before, after = (_lines(text) for text in (fixed.source.text, fixed.text))
    lines = compare(before, after, f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]] + [rest for rest in text.split("\n")[-1:] if rest]
