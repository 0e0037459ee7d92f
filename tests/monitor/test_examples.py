"""The example logs show what their page says."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support import ROOT, RunCommand

FOLDER = Path(ROOT) / "examples" / "monitor"
ROW = re.compile(r"^\| `(\w+\.csv)` \| (.*) \| (\d) \|$", re.M)
ROWS = ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8"))


def test_every_log_is_described() -> None:
    """And no other."""
    assert sorted(name for name, _, _ in ROWS) == sorted(path.name for path in FOLDER.glob("*.csv"))


@pytest.mark.parametrize(("name", "text", "code"), ROWS, ids=[row[0] for row in ROWS])
def test_log(name: str, text: str, code: str, project: Path, dnnlint: RunCommand) -> None:
    """The findings that fail, and the exit code."""
    shutil.copy(FOLDER / name, project)
    run = dnnlint("monitor", "--format", "json", name)
    findings = json.loads(run.out)["findings"]
    failing = {finding["name"] for finding in findings if finding["severity"] != "advice"}
    assert failing == set(re.findall(r"`([\w-]+)`", text))
    assert run.code == int(code)


def test_prediction(project: Path, dnnlint: RunCommand) -> None:
    """The healthy run needs what was predicted, the leaking one more."""
    for name in ("healthy.csv", "leaking.csv", "estimate.json"):
        shutil.copy(FOLDER / name, project)
    assert dnnlint("monitor", "healthy.csv", "--expect", "estimate.json").code == 0
    assert "above the predicted 14.7 GiB" in dnnlint("monitor", "leaking.csv", "--expect", "estimate.json").out
