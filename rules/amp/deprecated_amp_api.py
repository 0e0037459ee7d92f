"""DNN107: torch.cuda.amp and torch.cpu.amp, which moved to torch.amp."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst

from dnnlint.facts import BindingKind, Function, dotted, lookup
from dnnlint.facts.names import split_chain
from dnnlint.finding import FixSafety, Severity
from dnnlint.program.values import External, Place, Ref
from dnnlint.rule import NodeEdit, Report, Rule, Settings
from dnnlint.rules.amp._device import with_device
from dnnlint.rules.amp._fallback import is_fallback, is_new, passes_device

if TYPE_CHECKING:
    from dnnlint.facts import Call, Scope
    from dnnlint.program import Program

_POSITIONAL = {"autocast": ("enabled", "dtype", "cache_enabled")}
_DECORATORS = frozenset({"custom_fwd", "custom_bwd"})
_MOVED = frozenset({"autocast", "GradScaler", *_DECORATORS})
_ROOTS = ("torch.cuda.amp", "torch.cpu.amp")


class _Use(NamedTuple):
    """A deprecated name in use: the expression, the call where it is called, and what it stands for."""

    node: cst.BaseExpression
    call: cst.Call | None
    qualified: str
    scope: Scope

    @property
    def name(self) -> str:
        return self.qualified.rpartition(".")[2]

    @property
    def device(self) -> str:
        return "cpu" if self.qualified.startswith("torch.cpu.") else "cuda"

    @property
    def function(self) -> cst.BaseExpression:
        return self.call.func if self.call is not None else self.node


def check(program: Program, settings: Settings) -> Iterator[Report]:
    """Report each use, with the edits of its import where the name is imported."""
    uses = [*_calls(program), *_bare_decorators(program)]
    if not uses:
        return
    rewriting = _Rewriting(program, uses)
    for use in uses:
        new = f"torch.amp.{use.name}"
        how = f'device_type="{use.device}"' if use.name in _DECORATORS else f'"{use.device}", ...'
        yield Report(
            use.node,
            f"`{use.qualified}` is deprecated in favour of `{new}` with a device.",
            f"Write `{new}({how})`.",
            edits=rewriting.edits_for(use),
            fix_description=f"Use `{new}`.",
        )


def _deprecated(qualified: str) -> bool:
    return qualified.startswith(_ROOTS) and qualified.rpartition(".")[2] in _MOVED


def _calls(program: Program) -> Iterator[_Use]:
    for call in program.facts.calls:
        names = _names_of(program, call)
        name = next((n for n in names if _deprecated(n)), None)
        if name is None or any(is_new(n) for n in names) or passes_device(program, call):
            continue
        if not is_fallback(program, call.root, call.block, call.block.scope):
            yield _Use(call.node, call.node, name, call.block.scope)


def _names_of(program: Program, call: Call) -> tuple[str, ...]:
    """The qualified names of a call, also through ``autocast = torch.cuda.amp.autocast``."""
    from dnnlint.facts import qualified_names

    found = qualified_names(call)
    if found or call.chain or "amp" not in program.facts.attribute_loads or not isinstance(call.root, cst.Name):
        return found
    _, bindings = lookup(call.block.scope, call.root.value)
    if not any(b.kind == BindingKind.ASSIGN for b in bindings):
        return found
    return tuple(v.qualified for v in program.resolve(call.root, call) if isinstance(v, External))


def _bare_decorators(program: Program) -> Iterator[_Use]:
    for function in program.facts.functions:
        for decorator in function.decorators:
            if isinstance(decorator, (cst.Name, cst.Attribute)):
                name = _name_of_decorator(program, decorator, function)
                root = split_chain(decorator)[0]
                if _deprecated(name) and not is_fallback(program, root, function.place, function.place.scope):
                    yield _Use(decorator, None, name, function.place.scope)


def _name_of_decorator(program: Program, decorator: cst.BaseExpression, function: Function) -> str:
    place = Place(program.resolver.frame_of(function.place.function), function.place, function.order)
    values = program.resolver.resolve(Ref(decorator, place))
    return values[0].qualified if len(values) == 1 and isinstance(values[0], External) else ""


class _Rewriting:
    """The edits of all uses in a file; uses through one import are rewritten together with it."""

    def __init__(self, program: Program, uses: list[_Use]) -> None:
        self.program = program
        self.uses = uses
        self._groups: dict[int, tuple[NodeEdit, ...]] = {}

    def edits_for(self, use: _Use) -> tuple[NodeEdit, ...]:
        """The edits that take one use, and everything bound to the same import, to the new names."""
        statement = self._import_of(use)
        if statement is None:
            text = dotted(use.function)
            return self._own_edits(use, f"torch.amp.{use.name}") if text.startswith("torch.") else ()
        if id(statement) not in self._groups:
            self._groups[id(statement)] = self._together(statement)
        return self._groups[id(statement)]

    def _own_edits(self, use: _Use, function: str) -> tuple[NodeEdit, ...]:
        if use.name in _DECORATORS:
            return self._decorator_edits(use, function)
        if use.call is None:
            return (NodeEdit("replace", use.node, f'{function or dotted(use.node)}("{use.device}")'),)
        return with_device(self.program, use.call, use.device, function, _POSITIONAL.get(use.name, ()))

    def _decorator_edits(self, use: _Use, function: str) -> tuple[NodeEdit, ...]:
        name = function or dotted(use.function)
        device = f'device_type="{use.device}"'
        if use.call is None or not use.call.args:
            return (NodeEdit("replace", use.node, f"{name}({device})"),)
        if any(argument.keyword is None for argument in use.call.args):
            return ()
        renamed = (NodeEdit("replace", use.call.func, function),) if function else ()
        return (*renamed, NodeEdit("before", use.call.args[0], f"{device}, "))

    def _import_of(self, use: _Use) -> cst.CSTNode | None:
        """The import statement that binds the root of a use; None for ``import torch`` and other bindings."""
        root = split_chain(use.function)[0]
        if not isinstance(root, cst.Name) or root.value == "torch":
            return None
        _, bindings = lookup(use.scope, root.value)
        if len(bindings) != 1 or bindings[0].kind != BindingKind.IMPORT:
            return None
        wanted = str(bindings[0].value)
        return next((node for full, node in self.program.facts.imports if full == wanted), None)

    def _together(self, statement: cst.CSTNode) -> tuple[NodeEdit, ...]:
        module = _module_edit(statement)
        if module is None:
            return ()
        members = [use for use in self.uses if self._import_of(use) is statement]
        edits = [module]
        for use in members:
            own = self._own_edits(use, "")
            if not own:
                return ()
            edits.extend(own)
        known = {id(use.function) for use in members}
        names = _bound_names(statement)
        references = list(_references(self.program.module, names))
        if _is_passed_on(self.program, names, references):
            return ()
        others = [node for node in references if id(node) not in known]
        return () if any(not _works_unchanged(node, names) for node in others) else tuple(edits)


def _module_edit(statement: cst.CSTNode) -> NodeEdit | None:
    """The edit of an import whose names all exist in the new place."""
    if isinstance(statement, cst.ImportFrom) and statement.module is not None and not statement.relative:
        source = dotted(statement.module)
        names = [] if isinstance(statement.names, cst.ImportStar) else [dotted(a.name) for a in statement.names]
        if source.startswith(_ROOTS) and names and set(names) <= _MOVED:
            return NodeEdit("replace", statement.module, "torch.amp")
        if source in ("torch.cuda", "torch.cpu") and names == ["amp"]:
            return NodeEdit("replace", statement.module, "torch")
    alias = statement.names[0] if isinstance(statement, cst.Import) and len(statement.names) == 1 else None
    if alias is not None and alias.asname is not None and dotted(alias.name) in _ROOTS:
        return NodeEdit("replace", alias.name, "torch.amp")
    return None


def _bound_names(statement: cst.CSTNode) -> dict[str, str]:
    """The local names of an import, with what they name in the module."""
    aliases = statement.names if isinstance(statement, (cst.Import, cst.ImportFrom)) else ()
    found = {}
    for alias in () if isinstance(aliases, cst.ImportStar) else aliases:
        local = alias.asname.name if alias.asname is not None else alias.name
        found[dotted(local)] = dotted(alias.name).rpartition(".")[2]
    return found


def _is_passed_on(program: Program, names: dict[str, str], references: list[cst.BaseExpression]) -> bool:
    """Whether other files may import one of the names from here: it is in ``__all__``, or nothing here uses it."""
    used = {getattr(split_chain(node)[0], "value", "") for node in references}
    if not names.keys() <= used:
        return True
    lists = [a.value for a in program.facts.assigns if isinstance(a.target, cst.Name) and a.target.value == "__all__"]
    texts = [program.module.code_for_node(node) for node in lists]
    return any(f"{quote}{name}{quote}" in text for text in texts for name in names for quote in "\"'")


def _references(node: cst.CSTNode, names: dict[str, str]) -> Iterator[cst.BaseExpression]:
    """The expressions that start with one of the names, import statements and keywords left out."""
    if isinstance(node, (cst.Import, cst.ImportFrom)):
        return
    if isinstance(node, (cst.Name, cst.Attribute)):
        root = split_chain(node)[0]
        if isinstance(root, cst.Name):
            if root.value in names:
                yield node
            return
    keyword = node.keyword if isinstance(node, cst.Arg) else None
    for child in node.children:
        if child is not keyword:
            yield from _references(child, names)


def _works_unchanged(node: cst.BaseExpression, names: dict[str, str]) -> bool:
    """``GradScaler`` in an annotation or an isinstance test: the new class is the base of the old one."""
    root, chain = split_chain(node)
    name = chain[-1] if chain else names.get(getattr(root, "value", ""), "")
    return name == "GradScaler"


RULE = Rule("DNN107", "deprecated-amp-api", Severity.WARNING, "S3.2.2a", check, FixSafety.SAFE, is_local=True)
