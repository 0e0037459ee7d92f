"""DNN705: torch.load runs the code that a pickle brings along."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Call
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.values import Const, Ref, Result
from dnnlint.program.wording import quoted
from dnnlint.project.requirements import FILES, Requirement, torch_requirements
from dnnlint.rule import NodeEdit, Option, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program


_FIRST_WITH_ARGUMENT, _FIRST_SAFE = (1, 13), (2, 6)
"""The releases that brought ``weights_only``, and made it the default."""


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report torch.load with weights_only=False, and without it where PyTorch before 2.6 has to be expected."""
    for call in program.calls_to("torch.load"):
        given = program.argument(call, "weights_only")
        if given is not None:
            if _is_false(program, given):
                yield _report(program, call, "runs any code that the file brings along", given)
        elif call.node.args and not any(a.star for a in call.node.args):
            old = "where `torch` is older than 2.6" if settings["before-2-6"] else _required(program, call)
            if old and not _is_buffer(program, call):
                yield _report(program, call, f"runs any code that the file brings along {old}", None)


def _is_buffer(program: Program, call: Call) -> bool:
    """Whether what is loaded was never a file of somebody else: bytes in memory, from another process of the run."""
    given = program.argument(call, "f", 0)
    values = program.resolver.resolve(given) if given is not None else ()
    return any(isinstance(value, Result) and value.qualified == "io.BytesIO" for value in values)


def _required(program: Program, call: Call) -> str:
    """The requirement of an older PyTorch in the nearest folder that states one, in words; empty for any other."""
    tree, folder = program.linker.tree, os.path.dirname(program.path_of(call.block))
    while tree is not None and tree.root and (folder == tree.root or folder.startswith(tree.root + os.sep)):
        stated = list(_stated_in(program, folder))
        if stated:
            old = all(r.newest is not None and _FIRST_WITH_ARGUMENT <= r.newest < _FIRST_SAFE for _, r in stated)
            return f"with `{stated[0][1].text}` ({stated[0][0]})" if old else ""
        folder = os.path.dirname(folder)
    return ""


def _stated_in(program: Program, folder: str) -> Iterator[tuple[str, Requirement]]:
    for name in FILES:
        data = program.linker.read_file(os.path.join(folder, name))
        for requirement in torch_requirements(data.decode("utf-8", "replace")) if data else ():
            yield name, requirement


def _is_false(program: Program, given: Ref) -> bool:
    return program.resolver.resolve(given) == (Const(False),)


def _report(program: Program, call: Call, what: str, given: Ref | None) -> Report:
    if given is None:
        edits: tuple[NodeEdit, ...] = (NodeEdit("after", call.node.args[-1].value, ", weights_only=True"),)
    else:
        written = any(argument.value is given.node for argument in call.node.args)
        edits = (NodeEdit("replace", given.node, "True"),) if written else ()
    return Report(
        call.node,
        f"{quoted(program, call.node)} {what}.",
        "Load tensors and plain Python values with `weights_only=True`.",
        edits=edits,
        fix_description="Load with `weights_only=True`.",
    )


RULE = Rule(
    code="DNN705",
    name="unsafe-load",
    severity=Severity.WARNING,
    clause="S5.2.1",
    check=check,
    fix=FixSafety.UNSAFE,
    options=(
        Option("before-2-6", False, "The code also runs with PyTorch before 2.6, which loads unsafely by default."),
    ),
)
