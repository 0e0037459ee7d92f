"""What of a program is not judged, in words. It is told from what the rules worked out already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnnlint.program.paths import MAX_PATHS
from dnnlint.program.tree import Kind

if TYPE_CHECKING:
    from dnnlint.facts import Block
    from dnnlint.program import Program

Notes = dict[str, tuple[str, ...]]
"""Sentences by the path of the file that they are about."""


def notes_on(program: Program) -> Notes:
    """Training loops with too many paths and calls that are not followed, counted by file."""
    found: dict[str, list[str]] = {}
    known = vars(program)
    branched = [loop for loop in known.get("training_loops", ()) if loop.has_too_many_paths]
    blocks = {id(loop.body): loop.backwards[0].call.block for loop in branched}
    for path, count in _by_path(program, list(blocks.values())).items():
        what = "one iteration of a training loop" if count == 1 else f"one iteration of {count} training loops"
        found.setdefault(path, []).append(f"{what} can go more than {MAX_PATHS} ways, so that its order is not judged")
    opaque = program.events(Kind.OPAQUE) if "_all_events" in known else ()
    calls = {id(event.call.node): event.call.block for event in opaque}
    for path, count in _by_path(program, list(calls.values())).items():
        what = "a call that receives" if count == 1 else f"{count} calls that receive"
        verb = "is" if count == 1 else "are"
        found.setdefault(path, []).append(f"{what} an optimizer, a scaler or a model {verb} not followed")
    return {path: tuple(texts) for path, texts in found.items()}


def _by_path(program: Program, blocks: list[Block]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for block in blocks:
        path = program.path_of(block)
        counts[path] = counts.get(path, 0) + 1
    return counts
