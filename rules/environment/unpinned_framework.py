"""DNN901: a deep-learning framework without any bound on its version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.deploy import kinds
from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile, Environment

_FRAMEWORKS = frozenset(("torch", "pytorch", "tensorflow", "tensorflow-gpu", "tensorflow-cpu", "jax", "pytorch-gpu"))


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report frameworks of which every release is accepted."""
    for environment in file.environments:
        if environment.is_locked:
            continue
        for item in environment.dependencies:
            if item.name not in _FRAMEWORKS or item.name in environment.constrained:
                continue
            if item.specifier is None or _is_bounded(str(item.specifier)) or _names_version(environment, item.name):
                continue
            yield FileReport(
                item.span,
                f"`{item.name}` has no version: every installation takes the newest release.",
                f"Pin it, for example `{item.name}==` with the version that you trained with, or add a lock file.",
                Severity.ADVICE if environment.is_library and file.kind != kinds.DOCKERFILE else None,
            )


def _is_bounded(specifier: str) -> bool:
    """Whether any part of a specifier gives a direction; ``!=`` only leaves one release out."""
    return any(not part.startswith("!=") and part not in (">=0", ">0") for part in specifier.split(",") if part)


def _names_version(environment: Environment, name: str) -> bool:
    """Whether the same package stands in the list again with a bound, as conda and pip lists may have it."""
    others = (item for item in environment.dependencies if item.name == name)
    return any(item.specifier is None or _is_bounded(str(item.specifier)) for item in others)


RULE = Rule("DNN901", "unpinned-framework", Severity.WARNING, "S2.2.1", check_file=check)
