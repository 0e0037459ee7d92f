"""SARIF 2.1.0, the format of code-scanning services.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

from dnnlint import __version__
from dnnlint.engine.excerpts import Excerpts
from dnnlint.engine.model import FileError, RunResult
from dnnlint.finding import Finding, Fix, Severity
from dnnlint.rule_docs import read_page
from dnnlint.rules import RuleInfo

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "dnnlintFinding/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}

JsonObject = dict[str, object]


def render_sarif(run: RunResult, excerpts: Excerpts) -> Iterator[str]:
    """One SARIF log with one run."""
    infos = run.rules
    reported = sorted({finding.code for finding in run.findings})
    positions = {code: index for index, code in enumerate(reported)}
    fingerprints = _fingerprints(run, excerpts)
    driver: JsonObject = {
        "name": "dnnlint",
        "semanticVersion": __version__,
        "rules": [_descriptor(infos[code]) for code in reported],
    }
    results = [
        _result(finding, positions[finding.code], fingerprint)
        for finding, fingerprint in zip(run.findings, fingerprints, strict=True)
    ]
    invocation: JsonObject = {
        "executionSuccessful": not run.errors,
        "toolExecutionNotifications": [_notification(error) for error in run.errors],
    }
    sarif_run: JsonObject = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [sarif_run]}, indent=2) + "\n"


def _descriptor(info: RuleInfo) -> JsonObject:
    page = read_page(info)
    return {
        "id": info.code,
        "name": "".join(word.capitalize() for word in info.name.split("-")),
        "shortDescription": {"text": info.name.replace("-", " ")},
        "fullDescription": {"text": page.summary or info.name},
        "help": {"text": page.text or info.name, "markdown": page.text or info.name},
        "defaultConfiguration": {"level": _LEVELS[Severity(info.severity)]},
        "properties": {"tags": [info.family, *([info.clause] if info.clause else [])]},
    }


def _result(finding: Finding, rule_index_in_run: int, fingerprint: str) -> JsonObject:
    result: JsonObject = {
        "ruleId": finding.code,
        "ruleIndex": rule_index_in_run,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message} {finding.help}".strip()},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.fix, finding.path)]
    return result


def _location(finding: Finding) -> JsonObject:
    file, _, cell = finding.path.partition(":cell ")
    location: JsonObject = {"artifactLocation": _artifact(file)}
    if not cell:  # lines of a cell are not lines of the file
        location["region"] = {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
        }
    return location


def _fix(fix: Fix, path: str) -> JsonObject:
    replacements = [
        {
            "deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    change: JsonObject = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {"description": {"text": fix.description or "Apply the fix."}, "artifactChanges": [change]}


def _artifact(path: str) -> JsonObject:
    return {"uri": quote(path.replace("\\", "/"), errors="surrogateescape")}


def _notification(error: FileError) -> JsonObject:
    location: JsonObject = {"physicalLocation": {"artifactLocation": _artifact(error.path)}}
    return {"level": "error", "message": {"text": error.message}, "locations": [location]}


def _fingerprints(run: RunResult, excerpts: Excerpts) -> list[str]:
    """A digest of each finding that holds when lines move: of the text of its line, not of the number."""
    seen: Counter[tuple[str, str, str]] = Counter()
    fingerprints: list[str] = []
    for finding in run.findings:
        identity = (finding.path, finding.code, excerpts.line(finding.path, finding.line).strip())
        seen[identity] += 1
        text = "\0".join((*identity, str(seen[identity])))
        fingerprints.append(hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32])
    return fingerprints
