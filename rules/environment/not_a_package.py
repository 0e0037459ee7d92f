"""DNN903: something listed as a package that no index has under this name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import Severity
from dnnlint.rule import FileReport, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.deploy.model import DeployFile

_DRIVER = "Remove it: it comes with the driver of the host, which no package manager of Python installs."
_WHEELS = "Remove it: the wheels of the frameworks bring it, as `nvidia-` packages."
_PIP = {
    "cuda": _WHEELS,
    "cudnn": _WHEELS,
    "cudatoolkit": _WHEELS,
    "nvidia-driver": _DRIVER,
    "nvidia-drivers": _DRIVER,
    "libcudnn8": _WHEELS,
    "nccl": _WHEELS,
    "pytorch": "Write `torch`: the package `pytorch` of the index only says so and fails.",
    "pytorch-cuda": "Choose the CUDA version with the index of PyTorch, `--index-url`.",
}
_CONDA = {
    "nvidia-smi": _DRIVER,
    "nvidia-driver": _DRIVER,
    "nvidia-drivers": _DRIVER,
    "torch": "Write `pytorch`, or put `torch` under `pip:`.",
}


def check(file: DeployFile, settings: Settings) -> Iterator[FileReport]:
    """Report dependencies that cannot be installed."""
    for environment in file.environments:
        for item in environment.dependencies:
            text_help = (_CONDA if item.manager == "conda" else _PIP).get(item.name)
            if text_help is None or (item.specifier is None and item.manager == "pip"):
                continue
            where = "a conda channel" if item.manager == "conda" else "the package index"
            yield FileReport(item.span, f"`{item.name}` is no package that can be installed from {where}.", text_help)


RULE = Rule("DNN903", "not-a-package", Severity.ERROR, "S2.2.3b", check_file=check)
