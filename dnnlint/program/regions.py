"""In which precision a loss is computed: its expression followed back to the autocasts around its parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import BindingKind, Block, BlockKind, Branch, Scope, lookup
from dnnlint.program.contexts import MAX_FRAMES, contexts_of
from dnnlint.program.precision import Autocast, autocasts, dtypes
from dnnlint.program.reaching import frame_of_scope, reaching
from dnnlint.program.values import External, Frame, FunctionValue, Object, Place, Ref, Result, Value

if TYPE_CHECKING:
    from dnnlint.program.conditions import Conditions, Decisions

_MAX_PARTS = 400
# What comes out of these carries no gradient back.
_DETACHING = frozenset({"detach", "item", "detach_", "tolist", "numpy"})
_WITHOUT_GRADIENT = ("torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.autograd.inference_mode")


class HalfRegion:
    """An autocast that computes (``certain``) or may compute a part of a loss in one of ``dtypes``."""

    __slots__ = ("autocast", "certain", "dtypes")

    def __init__(self, autocast: Autocast, dtypes: frozenset[str], certain: bool) -> None:
        """Take an autocast, the types it may have at this place and whether it is certainly on."""
        self.autocast = autocast
        self.dtypes = dtypes
        self.certain = certain


class Regions:
    """Follows losses back, under the decisions that a path has taken."""

    def __init__(self, conditions: Conditions) -> None:
        """Take the evaluator of conditions, which also knows the bindings of names."""
        self.conditions = conditions
        self.resolver = conditions.resolver

    def of_loss(self, loss: Ref, decisions: Decisions) -> list[HalfRegion]:
        """The autocasts, each once, under which parts of a loss that carry a gradient are computed."""
        found: dict[tuple[int, bool], HalfRegion] = {}
        blocks: set[tuple[int, int]] = set()
        for place in _Trace(self, decisions).places(loss):
            if (id(place.block), id(place.frame)) in blocks:
                continue
            blocks.add((id(place.block), id(place.frame)))
            for region in self.at(place, decisions):
                found.setdefault((id(region.autocast.value.node), region.certain), region)
        return list(found.values())

    def at(self, place: Place, decisions: Decisions) -> list[HalfRegion]:
        """The innermost autocast at a place, or all that it may be; none where gradients are switched off."""
        found: list[HalfRegion] = []
        contexts = list(contexts_of(place))
        if any(self._is_without_gradient(ref) for ref in contexts):
            return []
        for ref in contexts:
            leaves = self.narrowed(ref, decisions)
            casts = autocasts(self.resolver, leaves)
            values = [value for leaf in leaves for value in self.resolver.resolve(leaf)]
            decided = len(casts) >= len(values)
            found.extend(self._region(cast, decided and not found, decisions) for cast in casts)
            if casts and decided:
                break
        return found

    def _region(self, cast: Autocast, certain: bool, decisions: Decisions) -> HalfRegion:
        switch = cast.enabled_ref
        state = True if switch is None else self.conditions.outcome(switch, decisions)
        if state is False:
            return HalfRegion(cast, frozenset({"float32"}), certain)
        types = cast.dtypes
        if cast.dtype_ref is not None:
            leaves = self.narrowed(cast.dtype_ref, decisions)
            types = frozenset(t for leaf in leaves for t in dtypes(self.resolver, leaf, cast.devices)[0])
        return HalfRegion(cast, types, certain and state is True)

    def _is_without_gradient(self, ref: Ref) -> bool:
        values = self.resolver.resolve(ref)
        return bool(values) and all(_qualified(value).startswith(_WITHOUT_GRADIENT) for value in values)

    def narrowed(self, ref: Ref, decisions: Decisions, depth: int = 0) -> list[Ref]:
        """The expressions that a name or a conditional expression stands for under the decisions."""
        node = ref.node
        if depth > 8:
            return [ref]
        if isinstance(node, cst.IfExp):
            known = self.conditions.outcome(Ref(node.test, ref.place), decisions)
            arms = [arm for arm, holds in ((node.body, True), (node.orelse, False)) if known is not (not holds)]
            return [leaf for arm in arms for leaf in self.narrowed(Ref(arm, ref.place), decisions, depth + 1)]
        if not isinstance(node, (cst.Name, cst.Attribute)):
            return [ref]
        bound = self.conditions.bindings(ref)
        kept = [(b, place) for b, place in bound if self.may_run(place, decisions)]
        refs = [Ref(b.value, place) for b, place in kept if isinstance(b.value, cst.BaseExpression)]
        if not refs or len(refs) < len(kept):
            return [ref]
        return [leaf for inner in refs for leaf in self.narrowed(inner, decisions, depth + 1)]

    def may_run(self, place: Place, decisions: Decisions) -> bool:
        """Whether the branches around a place agree with the decisions."""
        block: Block | None = place.block
        while block is not None and block.kind != BlockKind.FUNCTION:
            owner = block.owner
            if isinstance(owner, Branch) and owner.test is not None:
                test = Ref(owner.test, Place(place.frame, owner.block, owner.order))
                if self.conditions.outcome(test, decisions) is (block is not owner.then):
                    return False
            block = block.parent
        return True


class _Trace:
    """One walk back from a loss over everything it is made of."""

    def __init__(self, regions: Regions, decisions: Decisions) -> None:
        self.regions = regions
        self.resolver = regions.resolver
        self.decisions = decisions
        self.seen: set[tuple[int, int]] = set()
        self.found: list[Place] = []

    def places(self, ref: Ref) -> list[Place]:
        """The places where parts of an expression are computed."""
        self.parts(ref)
        return self.found

    def parts(self, ref: Ref) -> None:
        """Note the places where parts of an expression are computed."""
        key = (id(ref.node), id(ref.place.frame))
        if key in self.seen or len(self.seen) > _MAX_PARTS:
            return
        self.seen.add(key)
        node = ref.node
        if isinstance(node, cst.Name):
            self._name(ref, node.value)
        elif isinstance(node, cst.Attribute):
            self._attribute(ref, node)
        elif isinstance(node, cst.Call):
            self._call(ref, node)
        elif isinstance(node, cst.IfExp):
            known = self.regions.conditions.outcome(Ref(node.test, ref.place), self.decisions)
            for arm, holds in ((node.body, True), (node.orelse, False)):
                if known is not (not holds):
                    self.parts(Ref(arm, ref.place))
        elif not isinstance(node, (cst.Comparison, cst.Lambda)):
            if isinstance(node, cst.BinaryOperation):
                self.found.append(ref.place)
            for child in _expressions(node):
                self.parts(Ref(child, ref.place))

    def _name(self, ref: Ref, name: str) -> None:
        owner, bindings = lookup(ref.place.block.scope, name)
        frame = frame_of_scope(ref.place.frame, owner) if owner is not None else None
        if owner is None or frame is None:
            return
        for binding in reaching(bindings, ref.place) if frame is ref.place.frame else bindings:
            if binding.kind == BindingKind.PARAM:
                for passed in frame.arguments.get(name, ()):
                    self.parts(passed)
                continue
            value = binding.value.value if isinstance(binding.value, cst.AugAssign) else binding.value
            if binding.kind not in (BindingKind.ASSIGN, BindingKind.AUG) or binding.block is None:
                continue
            if isinstance(value, cst.BaseExpression):
                self._part(value, Place(frame, binding.block, binding.order))
            if isinstance(value, (cst.List, cst.Dict)):
                self._fillings(name, owner, frame)

    def _fillings(self, name: str, owner: Scope, frame: Frame) -> None:
        """Follow what a container of this name is filled with: ``losses.append(x)``, ``losses["main"] = x``."""
        for call in self.resolver.sites_named("append"):
            if call.node.args and call.chain == ("append",) and _is_name(call.root, name, owner, call.block):
                self._part(call.node.args[0].value, Place(frame, call.block, call.order))
        for assign in (a for unit in self.resolver.linker.units for a in unit.facts.assigns):
            target = assign.target
            if isinstance(target, cst.Subscript) and _is_name(target.value, name, owner, assign.block):
                self._part(assign.value, Place(frame, assign.block, assign.order))

    def _part(self, node: cst.BaseExpression, place: Place) -> None:
        if self.regions.may_run(place, self.decisions):
            self.parts(Ref(node, place))

    def _attribute(self, ref: Ref, node: cst.Attribute) -> None:
        bound = self.regions.conditions.bindings(ref)
        for binding, place in bound:
            if isinstance(binding.value, cst.BaseExpression) and self.regions.may_run(place, self.decisions):
                self.parts(Ref(binding.value, place))
        if not bound:
            self.parts(Ref(node.value, ref.place))

    def _call(self, ref: Ref, node: cst.Call) -> None:
        func = node.func
        if isinstance(func, cst.Attribute) and func.attr.value in _DETACHING:
            return
        self.found.append(ref.place)
        for callee in self.resolver.resolve(Ref(func, ref.place)):
            self._body(callee, ref, node)
        if isinstance(func, cst.Attribute):
            self.parts(Ref(func.value, ref.place))
        for argument in node.args:
            self.parts(Ref(argument.value, ref.place))

    def _body(self, callee: Value, ref: Ref, node: cst.Call) -> None:
        """Follow what a project function, or the forward pass of a project module, returns."""
        target = _function_of(self.resolver, callee)
        if target is None or ref.place.frame.depth >= MAX_FRAMES // 2:
            return
        frame = self.resolver.call_frame(target, node, ref.place)
        self.found.append(Place(frame, target.function.body, target.function.order))
        for jump in target.function.returns:
            if jump.value is not None:
                self.parts(Ref(jump.value, Place(frame, jump.block, jump.order)))


def _is_name(node: cst.BaseExpression, name: str, owner: Scope, block: Block) -> bool:
    return isinstance(node, cst.Name) and node.value == name and lookup(block.scope, name)[0] is owner


def _function_of(resolver: object, callee: Value) -> FunctionValue | None:
    from dnnlint.program.attributes import member

    if isinstance(callee, FunctionValue):
        return callee
    if isinstance(callee, Object):
        for name in ("__call__", "forward"):
            found = member(resolver, callee, name)  # type: ignore[arg-type]  # a Resolver, typed loosely
            if found and isinstance(found[0], FunctionValue):
                return found[0]
    return None


def _expressions(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions directly below a node, through elements, arguments and the like."""
    for child in node.children:
        if isinstance(child, cst.BaseExpression):
            yield child
        elif isinstance(child, (cst.BaseElement, cst.BaseDictElement, cst.CompFor, cst.SubscriptElement, cst.Index)):
            yield from _expressions(child)


def _qualified(value: Value) -> str:
    return value.qualified if isinstance(value, (External, Result)) else ""
