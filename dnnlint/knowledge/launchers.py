"""Launchers of distributed training that PyTorch has deprecated, and the command that takes their place.

Source: https://docs.pytorch.org/docs/stable/elastic/run.html (``torchrun`` supersedes ``torch.distributed.launch``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dnnlint.knowledge.shell import base_name, simple_commands

DEPRECATED_MODULE = "torch.distributed.launch"
REPLACEMENT = "torchrun"

_PYTHON = re.compile(r"python[\d.]*w?$|\$")
_IN_TEXT = re.compile(r"(?<![\w./-])python(?:\d(?:\.\d+)?)?(?:\s+-u)?\s+-m\s+torch\.distributed\.launch(?![\w.])")
_BY_ENVIRONMENT = re.compile(r"\s+--use[-_]env(?![\w-])")


def runs_deprecated_launcher(words: Sequence[str]) -> bool:
    """Whether a simple command runs ``python -m torch.distributed.launch``; an unknown interpreter counts."""
    for index, word in enumerate(words):
        if word == DEPRECATED_MODULE and index >= 2 and words[index - 1] == "-m":
            return any(_PYTHON.match(base_name(before)) for before in words[: index - 1])
        if base_name(word) == "launch.py" and word.endswith("torch/distributed/launch.py"):
            return index >= 1 and _PYTHON.match(base_name(words[index - 1])) is not None
    return False


def has_deprecated_launcher(text: str) -> bool:
    """Whether a command line, with pipes and several commands, runs the deprecated launcher."""
    return any(runs_deprecated_launcher(words) for words in simple_commands(text))


def with_torchrun(text: str) -> str | None:
    """The command line with ``torchrun``, None where that changes what the script is given.

    Without ``--use-env`` the old launcher passes ``--local_rank`` to the script, which ``torchrun`` never does; the
    option itself is what ``torchrun`` always does and does not know.
    """
    if not _BY_ENVIRONMENT.search(text) or not _IN_TEXT.search(text):
        return None
    return _BY_ENVIRONMENT.sub("", _IN_TEXT.sub(REPLACEMENT, text))
