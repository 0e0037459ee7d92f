"""DNN909: a conda channel in which current releases of PyTorch are not published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.knowledge.releases import matching, numbers, releases
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import Dependency, DeployFile

LAST_RELEASE = "2.5.1"
"""The last release in the channel ``pytorch``; see PyTorch's announcement of 2024-11."""
_HELP = "Take `pytorch` from `conda-forge`, or `torch` with pip."
_RETIRED = ("pytorch", "pytorch-nightly", "anaconda")


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report the channels of environments that ask for a torch newer than they hold."""
    for environment in file.environments:
        torch = next((item for item in environment.dependencies if _is_conda_torch(item)), None)
        if torch is None or not _may_be_newer(torch):
            continue
        for channel in environment.channels:
            name = channel.name.rstrip("/").rpartition("/")[2]
            if name in _RETIRED:
                yield FileReport(channel.span, _message(channel.name, name, torch.written), _HELP)


def _message(written: str, name: str, torch: str) -> str:
    if name == "anaconda":
        return f"`{torch}` is asked for, and no release is published in the channel `{written}`."
    return f"The channel `{written}` holds no release after {LAST_RELEASE}, and `{torch}` allows newer ones."


def _is_conda_torch(item: Dependency) -> bool:
    return item.manager == "conda" and item.name == "pytorch"


def _may_be_newer(torch: Dependency) -> bool:
    if torch.specifier is None:
        return False
    allowed = [numbers(release.version) for release in matching(torch.specifier)] or [numbers(torch.exact or "0")]
    return (
        not torch.specifier or max(allowed) > numbers(LAST_RELEASE) or torch.specifier.contains(releases()[-1].version)
    )


RULE = Rule("DNN909", "retired-conda-channel", Severity.WARNING, "S2.2.3b", check_file=check)
