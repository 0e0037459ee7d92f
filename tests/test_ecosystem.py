"""The check over public repositories: its list, its table and the comparison, without the repositories."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks import ecosystem
from benchmarks.ecosystem_table import Counts, changes, read_counts, write_counts
from benchmarks.pinned_repositories import Repository, read_repositories
from dnnlint.rules import ENGINE_RULES, rule_index
from tests.support import write

DEPRECATED_SCALER = "import torch\n\nscaler = torch.cuda.amp.GradScaler()\n"
GIT_IDENTITY = ("-c", "user.name=test", "-c", "user.email=test@example.org")


def git(*arguments: str | Path) -> str:
    command = ["git", *GIT_IDENTITY, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def listed() -> list[Repository]:
    return read_repositories(ecosystem.REPOSITORIES)


def test_list_is_long_enough() -> None:
    """Forty repositories at least, each once."""
    names = [repository.name for repository in listed()]
    assert len(names) >= 40
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.parametrize("repository", listed(), ids=lambda repository: repository.name)
def test_repository_is_pinned(repository: Repository) -> None:
    """An abbreviated commit or a branch can come to name something else."""
    assert len(repository.commit) == 40
    assert int(repository.commit, 16)
    assert repository.name.count("/") == 1
    assert repository.kind


def test_table_counts_the_listed_repositories() -> None:
    """Every repository of the list has files that were checked, and no other one is counted."""
    counts = read_counts(ecosystem.TABLE)
    checked = {name for (name, what), number in counts.items() if what == "files" and number > 0}
    assert checked == {name for name, _ in counts} == {repository.name for repository in listed()}


def test_table_counts_known_rules() -> None:
    """What is counted is a severity and a rule that exists."""
    known = set(rule_index()) | {rule.code for rule in ENGINE_RULES}
    counted = {what for _, what in read_counts(ecosystem.TABLE) if what not in ("files", "failures")}
    assert {what.split()[0] for what in counted} <= {"error", "warning", "advice"}
    assert {what.split()[1] for what in counted} <= known


CHANGES: dict[str, tuple[Counts, Counts, list[str]]] = {
    "nothing": ({("a/b", "files"): 2}, {("a/b", "files"): 2}, []),
    "one more": ({("a/b", "error DNN101"): 1}, {("a/b", "error DNN101"): 2}, ["a/b error DNN101: 1 -> 2"]),
    "a new rule": ({}, {("a/b", "advice DNN402"): 3}, ["a/b advice DNN402: 0 -> 3"]),
    "gone": ({("a/b", "error DNN101"): 1}, {}, ["a/b error DNN101: 1 -> 0"]),
    "moved to another repository": (
        {("a/b", "error DNN101"): 1},
        {("c/d", "error DNN101"): 1},
        ["a/b error DNN101: 1 -> 0", "c/d error DNN101: 0 -> 1"],
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_changes(case: str) -> None:
    """Every count that differs has a line."""
    before, after, lines = CHANGES[case]
    assert changes(before, after) == lines


def test_table_survives_writing(tmp_path: Path) -> None:
    """What is written is read again."""
    counts: Counts = {("a/b", "files"): 2, ("a/b", "error DNN101"): 1}
    write_counts(tmp_path / "table.csv", counts)
    assert read_counts(tmp_path / "table.csv") == counts


BROKEN_TABLES = {
    "another header": ("repository,rule\n", "header"),
    "a line twice": ("repository,what,number\na/b,files,1\na/b,files,2\n", "twice"),
    "no number": ("repository,what,number\na/b,files,x\n", "invalid literal"),
}


@pytest.mark.parametrize("case", BROKEN_TABLES)
def test_broken_table_is_refused(tmp_path: Path, case: str) -> None:
    """A merge that went wrong is not compared with."""
    text, message = BROKEN_TABLES[case]
    (tmp_path / "table.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_counts(tmp_path / "table.csv")


def test_large_files_do_not_count() -> None:
    """Findings count by severity and rule; those in files that are left out for their size do not."""
    paths = ["a.py", "a.py", "b.ipynb:cell 3", "large.ipynb:cell 1"]
    findings = [{"severity": "error", "code": "DNN101", "path": path} for path in paths]
    report = json.dumps({"findings": findings, "summary": {"errors": []}})
    assert ecosystem.count_findings(report, {"a.py", "b.ipynb"}) == {"files": 2, "error DNN101": 3}


def test_failed_files_count() -> None:
    """A rule that crashes on a file changes the table."""
    report = json.dumps({"findings": [], "summary": {"errors": [{"path": "a.py", "message": "rule crashed"}]}})
    assert ecosystem.count_findings(report, {"a.py"}) == {"files": 1, "failures": 1}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A list of one repository, that lies below a folder for sources, and no table yet."""
    source = tmp_path / "sources" / "owner" / "name"
    write(source, {"train.py": DEPRECATED_SCALER})
    git("init", "--quiet", source)
    git("-C", source, "add", "train.py")
    git("-C", source, "commit", "--quiet", "-m", "Train")
    pinned = Repository("owner/name", git("-C", source, "rev-parse", "HEAD"), "plain script")
    write(tmp_path, {"list.csv": f"repository,commit,kind\n{','.join(pinned)}\n"})
    monkeypatch.setattr(ecosystem, "REPOSITORIES", tmp_path / "list.csv")
    monkeypatch.setattr(ecosystem, "TABLE", tmp_path / "table.csv")
    return pinned


def test_clone_update_compare(repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cloned repository is counted, compares equal, and differs once its code does."""
    options = ["--repositories", str(tmp_path / "checkouts")]
    assert ecosystem.main([*options, "--clone", "--source", str(tmp_path / "sources"), "--update"]) == 0
    assert read_counts(tmp_path / "table.csv")["owner/name", "warning DNN107"] == 1
    assert ecosystem.main(options) == 0
    (tmp_path / "checkouts" / repository.folder / "train.py").write_text("import torch\n")
    assert ecosystem.main(options) == 1
    assert "owner/name warning DNN107: 1 -> 0" in capsys.readouterr().out


def test_missing_checkout_fails(repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A repository that is not there is no change of a count."""
    assert ecosystem.main(["--repositories", str(tmp_path / "nothing")]) == 2
    assert repository.name in capsys.readouterr().err


def test_other_commit_fails(repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A clone that moved on is not compared."""
    checkout = tmp_path / "checkouts" / repository.folder
    git("clone", "--quiet", tmp_path / "sources" / repository.name, checkout)
    git("-C", checkout, "commit", "--quiet", "--allow-empty", "-m", "Move on")
    assert ecosystem.main(["--repositories", str(checkout.parent)]) == 2
    assert "is not at" in capsys.readouterr().err
