"""HSE101: torch.save to a path outside the folder of the checkpoints."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.finding import FixSafety, Severity
from dnnlint.rule import NodeEdit, Option, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each call whose path is known and lies elsewhere; what the program does not show is unknown."""
    # Imported here, so that an answer from the cache, which needs neither, does not wait for them.
    import libcst as cst

    from dnnlint.program.values import Const
    from dnnlint.program.wording import quoted

    folder = str(settings["folder"])
    for call in program.calls_to("torch.save"):
        given = program.argument(call, "f", 1)
        if given is None:
            continue
        values = program.resolver.resolve(given)
        paths = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
        if not paths or len(paths) < len(values) or any(_is_below(path, folder) for path in paths):
            continue
        edits: tuple[NodeEdit, ...] = ()
        # Only a literal is rewritten: a name may have other uses.
        if isinstance(given.node, cst.SimpleString) and not posixpath.isabs(paths[0]):
            edits = (NodeEdit("replace", given.node, json.dumps(posixpath.join(folder, paths[0]))),)
        yield Report(
            given.node,
            f"{quoted(program, given.node)} lies outside of the folder `{folder}`.",
            f"Save checkpoints below `{folder}`.",
            edits=edits,
            fix_description=f"Save below `{folder}`.",
        )


def _is_below(path: str, folder: str) -> bool:
    return posixpath.normpath(path).startswith(posixpath.normpath(folder) + "/")


RULE = Rule(
    code="HSE101",
    name="stray-checkpoint",
    severity=Severity.WARNING,
    clause="",
    check=check,
    fix=FixSafety.UNSAFE,
    options=(Option("folder", "checkpoints", "The folder in which checkpoints belong."),),
)
