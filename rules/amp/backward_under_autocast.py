"""DNN106: backward inside an autocast region."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import BlockKind, Call, With
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.regions import Regions
from dnnlint.program.tree import Event, Kind, walk
from dnnlint.program.wording import quoted
from dnnlint.rule import NodeEdit, Report, Rule, Settings

if TYPE_CHECKING:
    from dnnlint.program import Program

_HELP = "End the autocast block after the loss: `backward()` runs in the types that the forward pass chose."
_MOVABLE = frozenset({Kind.BACKWARD, Kind.STEP, Kind.UPDATE, Kind.UNSCALE, Kind.CLIP, Kind.ZERO_GRAD, Kind.SCHEDULE})


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each backward around which autocast is or may be on."""
    resolver = program.resolver
    if not resolver.sites_named("autocast") and not program.loads_attribute("autocast"):
        return
    regions = Regions(program.conditions)
    for backward in program.events(Kind.BACKWARD):
        node = backward.call.node
        if backward.how == "engine":
            continue
        around = [region for region in regions.at(backward.place, {}) if region.dtypes != frozenset({"float32"})]
        if around:
            message = f"{quoted(program, node, 40)} runs inside {quoted(program, around[0].autocast.value.node)}."
            edits = _moved_out(program, backward)
            yield Report(node, message, _HELP, edits=edits, fix_description="Move `backward()` behind the block.")


def _moved_out(program: Program, backward: Event) -> tuple[NodeEdit, ...]:
    """Move a backward and the lines behind it out of its block, where these only apply the gradients."""
    block = backward.call.block
    owner = block.owner
    if not isinstance(owner, With) or block.kind != BlockKind.WITH or not isinstance(backward.call, Call):
        return ()
    statement = owner.node
    if not isinstance(statement, cst.With) or len(statement.items) != 1 or not _is_autocast(program, owner, backward):
        return ()
    lines = list(statement.body.body) if isinstance(statement.body, cst.IndentedBlock) else []
    first = next((i for i, line in enumerate(lines) if _holds(line, backward.call.node)), 0)
    kept, moved = lines[:first], [line for line in lines[first:] if isinstance(line, cst.SimpleStatementLine)]
    if not kept or len(kept) + len(moved) < len(lines):
        return ()
    if not _only_applies_gradients(program, backward, moved):
        return ()
    body = cst.ensure_type(statement.body, cst.IndentedBlock).with_changes(body=kept)
    inside = program.module.code_for_node(statement.with_changes(body=body, leading_lines=())).rstrip("\n")
    behind = [program.module.code_for_node(line).strip("\n") for line in moved]
    comment = moved[-1].trailing_whitespace.comment
    if comment is not None:
        # The comment behind the block stays where it is.
        if len(moved) > 1:
            return ()
        behind = [behind[0].removesuffix(comment.value).rstrip()]
    if any(mark in text for text in (inside, *behind) for mark in ('"""', "'''", "\\\n")):
        return ()
    edits = [NodeEdit("line-before", statement, inside), NodeEdit("replace", statement, behind[0])]
    if len(behind) > 1:
        edits.append(NodeEdit("line-after", statement, "\n".join(behind[1:])))
    return tuple(edits)


def _is_autocast(program: Program, owner: With, backward: Event) -> bool:
    """Whether the block next to a backward is the autocast, not another one inside it."""
    own = cst.ensure_type(owner.node, cst.With).items[0].item
    return any(
        region.autocast.value.node is own or isinstance(own, (cst.Name, cst.Attribute))
        for region in Regions(program.conditions).at(backward.place, {})[:1]
    )


def _only_applies_gradients(program: Program, backward: Event, lines: list[cst.SimpleStatementLine]) -> bool:
    """Whether lines hold nothing but the events of an update: a forward pass has to stay inside."""
    calls = {id(call.node) for call in program.facts.calls if any(_holds(line, call.node) for line in lines)}
    known = {
        id(node.call.node)
        for root in program.roots
        for node in walk(root)
        if isinstance(node, Event) and node.kind in _MOVABLE
    }
    # scaler.scale(loss) and model.parameters() are arguments and receivers of these events.
    harmless = {"scale", "parameters"}
    names = {id(call.node): call.attribute for call in program.facts.calls}
    return all(key in known or names[key] in harmless for key in calls)


def _holds(line: cst.CSTNode, node: cst.CSTNode) -> bool:
    return line is node or any(_holds(child, node) for child in line.children)


RULE = Rule("DNN106", "backward-under-autocast", Severity.WARNING, "S3.2.2a", check, FixSafety.UNSAFE)
