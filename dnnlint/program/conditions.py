"""Conditions of branches: what is known of them, and which of them stand or fall together.

``scaler = GradScaler() if args.amp else None`` ties ``if scaler is not None`` to ``if args.amp``: a path that takes
one and not the other does not exist.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding, BindingKind, Block, Branch, dotted, lookup
from dnnlint.program.reaching import frame_of_scope, reaching
from dnnlint.program.roles import site
from dnnlint.program.values import Const, Items, Object, Operation, Place, Ref, Table

if TYPE_CHECKING:
    from dnnlint.program.resolve import Resolver

Decisions = dict[Hashable, bool]
_MAX_DEPTH = 8


class Conditions:
    """Evaluates tests under the decisions a path has taken."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver

    def outcome(self, test: Ref, decisions: Decisions, depth: int = 0) -> bool | None:
        """Whether a test is known to hold, from constants and from earlier decisions."""
        known = self.resolver.truth(test)
        if known is not None or depth > _MAX_DEPTH:
            return known
        node = test.node
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            inner = self.outcome(Ref(node.expression, test.place), decisions, depth + 1)
            return None if inner is None else not inner
        if isinstance(node, cst.BooleanOperation):
            return self._both(node, test.place, decisions, depth)
        key, polarity = self.key(test)
        decided = decisions.get(key)
        return None if decided is None else decided is polarity

    def _both(self, node: cst.BooleanOperation, place: Place, decisions: Decisions, depth: int) -> bool | None:
        sides = [self.outcome(Ref(side, place), decisions, depth + 1) for side in (node.left, node.right)]
        stops = isinstance(node.operator, cst.Or)
        if stops in sides:
            return stops
        if None not in sides:
            return not stops
        key, polarity = self.key(Ref(node, place))
        decided = decisions.get(key)
        return None if decided is None else decided is polarity

    def assume(self, test: Ref, holds: bool, decisions: Decisions) -> Decisions:
        """The decisions extended by the outcome of a test, taken apart where that says more."""
        found = dict(decisions)
        self._note(test, holds, found, 0)
        return found

    def _note(self, test: Ref, holds: bool, found: Decisions, depth: int) -> None:
        node = test.node
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not) and depth < _MAX_DEPTH:
            self._note(Ref(node.expression, test.place), not holds, found, depth + 1)
            return
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.And) is holds:
            for side in (node.left, node.right):
                self._note(Ref(side, test.place), holds, found, depth + 1)
        key, polarity = self.key(test)
        found[key] = holds is polarity

    def key(self, test: Ref, depth: int = 0) -> tuple[Hashable, bool]:
        """A key that equal conditions share, and whether the test holds where the key is decided True."""
        node = test.node
        if depth > _MAX_DEPTH:
            return self._term(test), True
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            key, polarity = self.key(Ref(node.expression, test.place), depth + 1)
            return key, not polarity
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            return self._comparison(node, test.place, depth)
        if isinstance(node, (cst.Name, cst.Attribute)):
            return self._named(test, depth)
        return self._term(test), True

    def _comparison(self, node: cst.Comparison, place: Place, depth: int) -> tuple[Hashable, bool]:
        operator, right = node.comparisons[0].operator, node.comparisons[0].comparator
        left = Ref(node.left, place)
        if isinstance(operator, (cst.Is, cst.IsNot)) and dotted(right) == "None":
            key, polarity = (
                self._named(left, depth)
                if isinstance(left.node, (cst.Name, cst.Attribute))
                else (("set", self._term(left)), True)
            )
            return key, polarity is isinstance(operator, cst.IsNot)
        negative = isinstance(operator, (cst.NotEqual, cst.NotIn))
        name = {"NotEqual": "Equal", "NotIn": "In"}.get(type(operator).__name__, type(operator).__name__)
        return (name, self._term(left), self._term(Ref(right, place))), not negative

    def _named(self, test: Ref, depth: int) -> tuple[Hashable, bool]:
        """A plain name or attribute: through the condition of its definition where there is one."""
        defined = self.definition(test)
        if defined is not None:
            source, polarity = defined
            key, inner = self.key(source, depth + 1)
            return key, inner is polarity
        return self._term(test), True

    def definition(self, name: Ref) -> tuple[Ref, bool] | None:
        """The condition under which a name is set (not None, not False), or the test it stands for."""
        found = self.bindings(name)
        if len(found) == 1:
            binding, place = found[0]
            return self._single(binding, place)
        if len(found) == 2:
            return self._pair(found)
        return None

    def _single(self, binding: Binding, place: Place) -> tuple[Ref, bool] | None:
        value = binding.value
        if isinstance(value, cst.IfExp):
            empty = self._is_empty(Ref(value.orelse, place))
            if empty != self._is_empty(Ref(value.body, place)):
                return Ref(value.test, place), empty
            return None
        if isinstance(value, (cst.Comparison, cst.BooleanOperation, cst.UnaryOperation, cst.Name, cst.Attribute)):
            return Ref(value, place), True
        return None

    def _pair(self, found: list[tuple[Binding, Place]]) -> tuple[Ref, bool] | None:
        states = [isinstance(b.value, cst.BaseExpression) and self._is_empty(Ref(b.value, place)) for b, place in found]
        if states.count(True) != 1:
            return None
        binding, place = found[states.index(False)]
        block = binding.block
        owner = block.owner if block is not None else None
        if not isinstance(owner, Branch) or owner.test is None:
            return None
        return Ref(owner.test, Place(place.frame, owner.block, owner.order)), block is owner.then

    def _is_empty(self, ref: Ref) -> bool:
        values = self.resolver.resolve(ref)
        return bool(values) and all(isinstance(v, Const) and not v.value for v in values)

    def bindings(self, name: Ref) -> list[tuple[Binding, Place]]:
        """The plain assignments that may give a name, or an attribute of ``self``, its value, with their places."""
        node = name.node
        if isinstance(node, cst.Name):
            return self._name_bindings(name, node.value)
        if isinstance(node, cst.Attribute):
            return self._attribute_bindings(name, node)
        return []

    def _name_bindings(self, name: Ref, text: str) -> list[tuple[Binding, Place]]:
        scope, bindings = lookup(name.place.block.scope, text)
        frame = frame_of_scope(name.place.frame, scope) if scope is not None else None
        if frame is None:
            return []
        seen = reaching(bindings, name.place) if frame is name.place.frame else bindings
        if len(seen) == 1 and seen[0].kind == BindingKind.PARAM:
            passed = frame.arguments.get(text, ())
            return self.bindings(passed[0]) if len(passed) == 1 else []
        return [(b, _place(b, frame)) for b in seen if b.kind == BindingKind.ASSIGN and not b.path and b.block]

    def _attribute_bindings(self, name: Ref, node: cst.Attribute) -> list[tuple[Binding, Place]]:
        from dnnlint.program.attributes import method_frame

        found = []
        for base in self.resolver.resolve(Ref(node.value, name.place)):
            if isinstance(base, Object):
                for cls in self.resolver.lineage(base.cls)[0]:
                    for binding, method in cls.attributes.get(node.attr.value, ()):
                        found.append((binding, _place(binding, method_frame(self.resolver, base, method))))
        return [(b, p) for b, p in found if b.kind == BindingKind.ASSIGN and not b.path]

    def _term(self, ref: Ref) -> Hashable:
        """An expression as a hashable term in which names stand for what they resolve to."""
        node = ref.node
        if isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)):
            values = self.resolver.resolve(ref)
            if len(values) == 1 and not isinstance(values[0], (Operation, Items, Table)):
                return site(values[0])
            if isinstance(node, cst.Name):
                owner, _ = lookup(ref.place.block.scope, node.value)
                return ("name", id(owner), node.value)
        if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)):
            return ("literal", node.value)
        parts = tuple(
            self._term(Ref(child, ref.place)) if isinstance(child, cst.BaseExpression) else _text(child)
            for child in node.children
        )
        return (type(node).__name__, parts or _text(node))


def _place(binding: Binding, frame: object) -> Place:
    block = binding.block
    assert isinstance(block, Block)
    return Place(frame, block, binding.order)  # type: ignore[arg-type]  # a Frame, typed loosely to avoid a cycle


def _text(node: cst.CSTNode) -> Hashable:
    name = type(node).__name__
    if "Whitespace" in name or name in ("LeftParen", "RightParen", "Comma", "Dot"):
        return ""
    inner = tuple(_text(child) for child in node.children)
    return (name, inner) if inner else (name, str(getattr(node, "value", "")))
