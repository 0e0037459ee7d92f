"""How often each rule fired."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from dnnlint.engine.model import RunResult
from dnnlint.finding import FixSafety

SCHEMA_VERSION = 1


def render_statistics(output_format: str, run: RunResult) -> Iterator[str]:
    """The findings of each rule counted, the most frequent first; JSON when that is the format."""
    counts = Counter((finding.code, finding.name, finding.severity.value) for finding in run.findings)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    fixable = {finding.code for finding in run.findings if finding.fix and finding.fix.safety is not FixSafety.DISPLAY}
    if output_format == "json":
        rows = [
            {"code": code, "name": name, "severity": severity, "count": count, "fixable": code in fixable}
            for (code, name, severity), count in ordered
        ]
        yield json.dumps({"schema_version": SCHEMA_VERSION, "statistics": rows}, indent=2) + "\n"
        return
    width = max((len(str(count)) for _, count in ordered), default=0)
    for (code, name, severity), count in ordered:
        mark = "  [*]" if code in fixable else ""
        yield f"{count:>{width}}  {code}  {severity:<7}  {name}{mark}\n"
