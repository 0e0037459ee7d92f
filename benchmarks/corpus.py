"""Source files to measure on: real ones of an installed package, and generated ones of a chosen size."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

STEP = """
        images = images.to(device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss_{n} = criterion(model(images), labels)
        loss_{n}.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
        optimizer.zero_grad()
"""
LOOP = """

def train_{n}(model, criterion, optimizer, loader, device):
    for images, labels in loader:{step}"""


@dataclass(frozen=True)
class SourceFile:
    """A file with its decoded text."""

    path: Path
    text: str

    @property
    def lines(self) -> int:
        """Number of lines of the text."""
        return self.text.count("\n")


def package_folder(name: str) -> Path:
    """The folder of an installed package, or the folder itself when a path is given.

    Raises:
        SystemExit: there is no such package.
    """
    if Path(name).is_dir():
        return Path(name)
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{name}: neither a folder nor an installed package")
    return Path(spec.origin).parent


def training_files(folder: Path) -> list[SourceFile]:
    """All files that import torch: the others are not parsed at all and would flatter the figures."""
    return list(_read(sorted(folder.rglob("*.py"))))


def _read(paths: Iterable[Path]) -> Iterator[SourceFile]:
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if "import torch" in text or "from torch" in text:
            yield SourceFile(path, text)


def spread(files: list[SourceFile], max_lines: int) -> list[SourceFile]:
    """About ``max_lines`` lines, taken evenly over the list so that no folder dominates."""
    total = sum(file.lines for file in files)
    chosen: list[SourceFile] = []
    taken = seen = 0
    for file in files:
        seen += file.lines
        if taken < max_lines * seen / total and taken + file.lines <= max_lines:
            chosen.append(file)
            taken += file.lines
    return chosen


def training_program(num_loops: int) -> str:
    """Functions with one training loop each, so that the size grows and the difficulty does not."""
    loops = (LOOP.format(n=n, step=STEP.format(n=n)) for n in range(num_loops))
    return "import torch\n" + "".join(loops)


def long_function(num_calls: int) -> str:
    """One function whose loop body holds ``num_calls`` calls; a step has eight."""
    body = "".join(STEP.format(n=n) for n in range(num_calls // 8))
    return f"import torch\n{LOOP.format(n=0, step=body)}"
