"""DNN610: DistributedDataParallel keeps a second copy of the gradients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dnnlint.facts import Call
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.calling import has_unknown_arguments
from dnnlint.program.libraries import DISTRIBUTED_DATA_PARALLEL
from dnnlint.program.loader_arguments import switch_on
from dnnlint.program.values import Const, Table
from dnnlint.program.wording import quoted
from dnnlint.rule import Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_NAME = "gradient_as_bucket_view"


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report DistributedDataParallel without gradient_as_bucket_view."""
    if program.resolver.sites_named("detach_"):
        return  # fails on gradients that are views
    for call in program.calls_to(*DISTRIBUTED_DATA_PARALLEL):
        given = program.argument(call, _NAME)
        if given is not None:
            if program.resolver.resolve(given) != (Const(False),):
                continue
        elif _may_be_passed(program, call):
            continue
        yield Report(
            call.node,
            f"{quoted(program, call.node)} copies the gradients to buckets of their own: one more copy of them all.",
            f"Pass `{_NAME}=True`: the gradients become views of the buckets.",
            edits=switch_on(call, _NAME),
            fix_description=f"Pass `{_NAME}=True`.",
        )


def _may_be_passed(program: Program, call: Call) -> bool:
    """Whether ``*`` or ``**`` passes arguments that do not show; an empty table alone is filled where nobody looks."""
    if has_unknown_arguments(program.resolver, call.node, program.place_of(call)):
        return True
    mappings = [entry.value for entry in call.node.args if entry.star == "**"]
    found = [value for node in mappings for value in program.resolve(node, call)]
    return bool(mappings) and all(isinstance(value, Table) and not value.refs for value in found)


RULE = Rule(
    code="DNN610",
    name="gradient-bucket-copy",
    severity=Severity.ADVICE,
    clause="S3.1.1b",
    check=check,
    fix=FixSafety.SAFE,
)
