"""Public repositories at fixed commits: the list, and checkouts of them."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from typing import NamedTuple


class Repository(NamedTuple):
    """A repository at a commit."""

    name: str
    """``owner/name``."""
    commit: str
    """All 40 digits."""
    kind: str
    """What it trains, and with which framework."""

    @property
    def folder(self) -> str:
        """The name of its checkout."""
        return self.name.replace("/", "+")


class CheckoutError(Exception):
    """A checkout is missing or lies at another commit."""


def read_repositories(path: Path) -> list[Repository]:
    """The list of repositories, in the order of the file."""
    with path.open(newline="", encoding="utf-8") as file:
        return [Repository(row["repository"], row["commit"], row["kind"]) for row in csv.DictReader(file)]


def clone(repository: Repository, checkout: Path, source: str) -> None:
    """Clone a repository and check its commit out, without the files of Git LFS.

    Raises:
        CheckoutError: git failed.
    """
    checkout.parent.mkdir(parents=True, exist_ok=True)
    url = f"{source.rstrip('/')}/{repository.name}"
    for command in (["clone", "--quiet", "--no-checkout", url, str(checkout)], _checkout_command(repository, checkout)):
        environment = {**os.environ, "GIT_LFS_SKIP_SMUDGE": "1"}
        done = subprocess.run(["git", *command], capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            raise CheckoutError(f"{repository.name}: {done.stderr.strip()}")


def require_commit(repository: Repository, checkout: Path) -> None:
    """Check that a checkout is there, and at its commit; a folder that is no clone, such as an archive's, is trusted.

    Raises:
        CheckoutError: it is not.
    """
    if not checkout.is_dir():
        raise CheckoutError(f"{repository.name}: no checkout at {checkout}; --clone fetches it")
    if not (checkout / ".git").exists():
        return
    done = subprocess.run(
        ["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    if done.stdout.strip() != repository.commit:
        raise CheckoutError(f"{repository.name}: {checkout} is not at {repository.commit}")


def _checkout_command(repository: Repository, checkout: Path) -> list[str]:
    return ["-C", str(checkout), "checkout", "--quiet", "--detach", repository.commit]
