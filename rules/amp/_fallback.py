"""Code that keeps the old names of torch.cuda.amp for a PyTorch without the new ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding, Block, BlockKind, Branch, lookup
from dnnlint.program.values import Const, Ref

if TYPE_CHECKING:
    from dnnlint.facts import Call, Scope
    from dnnlint.program import Program

_NEW = ("torch.amp.", "torch.autocast")
_VERSION_TEST = re.compile(
    r"hasattr\(\s*(?:torch(?!\.cuda)|amp)|__version__|(?i:torch_version)|(?i:version\.parse|\bversion\()|TORCH_?(?:\d|GE|MAJOR)"
)
_MISSING = re.compile(r"ImportError|ModuleNotFoundError|AttributeError|TypeError|\bException\b")
_OLD = re.compile(r"\bamp\b|autocast|GradScaler|custom_(?:fwd|bwd)")


def is_new(qualified: str) -> bool:
    """Whether a name belongs to the device-agnostic API."""
    return qualified.startswith(_NEW)


def passes_device(program: Program, call: Call) -> bool:
    """``autocast("cuda")``: the old API has no device, so the call means the new one."""
    arguments = call.node.args
    if any(a.keyword is not None and a.keyword.value in ("device_type", "device") for a in arguments):
        return True
    if not arguments or arguments[0].keyword is not None or arguments[0].star:
        return False
    values = program.resolver.resolve(Ref(arguments[0].value, program.place_of(call)))
    return any(isinstance(value, Const) and isinstance(value.value, str) for value in values)


def is_fallback(program: Program, root: cst.BaseExpression, block: Block, scope: Scope) -> bool:
    """Whether a use, or a binding of the name it starts with, runs only where the new API is missing."""
    if _is_fallback_block(program, block) or _follows_version_test(program, block):
        return True
    if not isinstance(root, cst.Name):
        return False
    _, bindings = lookup(scope, root.value)
    return any(b.block is not None and _is_old(program, b) and _is_fallback_block(program, b.block) for b in bindings)


def _is_old(program: Program, binding: Binding) -> bool:
    """Whether a binding may stand for the old API; ``except ImportError: autocast = None`` does not."""
    value = binding.value
    text = program.module.code_for_node(value) if isinstance(value, cst.CSTNode) else str(value)
    return _OLD.search(text) is not None


def _is_fallback_block(program: Program, block: Block) -> bool:
    """An ``except`` block, or a side of ``if hasattr(torch, "amp")`` or of a test of the version."""
    current: Block | None = block
    while current is not None:
        if current.kind == BlockKind.EXCEPT and _handles_missing_name(program, current):
            return True
        if isinstance(current.owner, Branch) and _tests_version(program, current.owner):
            return True
        current = current.parent
    return False


def _handles_missing_name(program: Program, block: Block) -> bool:
    """Whether an ``except`` catches what a missing name raises, not for example an out-of-memory error."""
    caught = getattr(block.node, "type", None)
    return caught is None or _MISSING.search(program.module.code_for_node(caught)) is not None


def _follows_version_test(program: Program, block: Block) -> bool:
    """``if hasattr(torch, "amp"): return new()`` in front of the use, in the same function."""
    if block.function is None:
        return False
    branches = [branch for branch in program.facts.branches if branch.block.function is block.function]
    return any(_tests_version(program, branch) for branch in branches)


def _tests_version(program: Program, branch: Branch) -> bool:
    test = branch.test
    if test is None:
        return False
    if _VERSION_TEST.search(program.module.code_for_node(test)):
        return True
    name = test.expression if isinstance(test, cst.UnaryOperation) else test
    if not isinstance(name, cst.Name):
        return False
    _, bindings = lookup(branch.block.scope, name.value)
    nodes = [b.value for b in bindings if isinstance(b.value, cst.BaseExpression)]
    return any(_VERSION_TEST.search(program.module.code_for_node(node)) for node in nodes)
