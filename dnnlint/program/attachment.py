"""Tensors that are attached to an autograd graph: where they come from, what detaches them, which reach a backward."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import BindingKind, lookup
from dnnlint.program.flow import BackwardFlow
from dnnlint.program.frozen import Frozen
from dnnlint.program.grad_mode import GradMode
from dnnlint.program.layers import has_no_layers
from dnnlint.program.roles import last_name, site
from dnnlint.program.tree import Kind
from dnnlint.program.values import (
    ClassValue,
    Const,
    Element,
    External,
    Frame,
    Items,
    Member,
    Object,
    Operation,
    Place,
    Ref,
    Result,
    Table,
    Value,
    Values,
)

if TYPE_CHECKING:
    from dnnlint.facts import Block
    from dnnlint.program import Program

# Methods and functions whose result has no graph: numbers, positions, comparisons, shapes, samples.
_DETACHING = frozenset(
    "item detach detach_ tolist numpy argmax argmin argsort eq ne gt ge lt le equal isnan isinf isfinite size dim "
    "numel nelement bool long int short byte nonzero searchsorted bincount unique sign round floor ceil sample "
    "sample_n tensor zeros_like ones_like empty_like rand_like randn_like full_like one_hot multinomial data_ptr "
    "get_device element_size stride ndimension is_floating_point allclose logical_and logical_or logical_not any "
    "all".split()
)
_PLAIN_ATTRIBUTES = frozenset(
    "data shape dtype device grad grad_fn ndim requires_grad is_cuda layout is_leaf names".split()
)
# These return values and positions; the positions have no graph.
_WITH_POSITIONS = frozenset({"max", "min", "topk", "sort", "median", "mode", "kthvalue", "cummax", "cummin"})
_MAX_DEPTH = 12


class Attachment:
    """Answers for one program which expressions hold a graph; an expression that is not followed holds none."""

    def __init__(self, program: Program) -> None:
        """Take the program that the questions are about."""
        self._program = program
        self._resolver = program.resolver
        self.mode = GradMode(program)

    @cached_property
    def _forwards(self) -> dict[int, list[tuple[tuple[Hashable, ...], bool]]]:
        """The forward passes by their call: the calls that lead there, and whether autograd records."""
        found: dict[int, list[tuple[tuple[Hashable, ...], bool]]] = {}
        switched = self.mode.switched_by_call()
        frozen = Frozen(self._program)
        for event in self._program.events(Kind.FORWARD):
            weighted = not frozen.holds(event.targets) and not has_no_layers(self._program, event.targets)
            recorded = not switched and self.mode.records(event) and weighted
            found.setdefault(id(event.call.node), []).append((_call_chain(event.place.frame), recorded))
        return found

    def _is_recorded(self, value: Result) -> bool:
        """Whether a value is a model output that autograd records on a way through the calls it was resolved by."""
        chain = _call_chain(value.place.frame)
        ways = self._forwards.get(id(value.node), ())
        return any(recorded for way, recorded in ways if way[: len(chain)] == chain)

    @cached_property
    def _losses(self) -> tuple[frozenset[Hashable], frozenset[Hashable]]:
        """What backward is called on: the values, and the callables that made them."""
        values: set[Hashable] = set()
        makers: set[Hashable] = set()
        for event in self._program.events(Kind.BACKWARD):
            for value in self._values_of(event.loss) if event.loss is not None else ():
                if isinstance(value, Const):
                    continue
                values.add(site(value))
                if isinstance(value, Result) and not isinstance(value.callee, Member):
                    makers.add(site(value.callee))
        return frozenset(values), frozenset(makers)

    def _values_of(self, loss: Ref) -> Values:
        """What a loss is on its way through the calls, and what it is to a reader of its function alone."""
        block = loss.place.block
        alone = Place(self._resolver.frame_of(block.function, block.scope), block, loss.place.order)
        return (*self._resolver.resolve(loss), *self._resolver.resolve(Ref(loss.node, alone)))

    @cached_property
    def flow(self) -> BackwardFlow:
        """Which names and attributes reach a backward."""
        return BackwardFlow(self._program)

    def is_attached(self, ref: Ref, depth: int = 0) -> bool:
        """Whether every value an expression may have, apart from constants, holds a graph."""
        values = [v for v in self._resolver.resolve(ref) if not isinstance(v, Const)]
        return bool(values) and all(self.holds_graph(value, depth) for value in values)

    def arrives_attached(self, ref: Ref) -> bool:
        """Whether an expression is attached, or a parameter in it is for one caller: a meter gets many values."""
        node = ref.node
        if isinstance(node, cst.BinaryOperation):
            return any(self.arrives_attached(Ref(side, ref.place)) for side in (node.left, node.right))
        if isinstance(node, cst.Name):
            _, bindings = lookup(ref.place.block.scope, node.value)
            if len(bindings) == 1 and bindings[0].kind == BindingKind.PARAM:
                return any(self.holds_graph(value) for value in self._resolver.resolve(ref))
        return self.is_attached(ref)

    def holds_graph(self, value: Value, depth: int = 0) -> bool:
        """Whether a value is a tensor with a graph, or a literal that contains one."""
        if depth > _MAX_DEPTH:
            return False
        if site(value) in self._losses[0]:
            return True
        if isinstance(value, Operation):
            return self._operation(value, depth + 1)
        if isinstance(value, Element):
            if isinstance(value.base, Result) and last_method(value.base) in _WITH_POSITIONS and value.index == "1":
                return False
            return not value.index.startswith("iter") and self._element(value, depth + 1)
        if isinstance(value, Member):
            return value.name not in _PLAIN_ATTRIBUTES and self.holds_graph(value.base, depth + 1)
        if isinstance(value, Items):
            return any(self.is_attached(ref, depth + 1) for ref in value.refs)
        if isinstance(value, Table):
            return any(self.is_attached(ref, depth + 1) for _, ref in value.refs)
        return isinstance(value, Result) and self._result(value, depth + 1)

    def _element(self, value: Element, depth: int) -> bool:
        """One of several outputs: a number where the ``forward`` of a project model shows it."""
        model = value.base.callee if isinstance(value.base, Result) else None
        method = model.cls.methods.get("forward") if isinstance(model, Object) else None
        if method is not None and isinstance(model, Object) and value.index.isdigit():
            frame = self._resolver.root_frame(method, model)
            for jump in method.returns:
                if isinstance(jump.value, cst.Tuple) and int(value.index) < len(jump.value.elements):
                    output = jump.value.elements[int(value.index)].value
                    if _is_number(self._program, Ref(output, Place(frame, jump.block, jump.order)), depth):
                        return False
        return self.holds_graph(value.base, depth)

    def _operation(self, value: Operation, depth: int) -> bool:
        node, place = value.ref.node, value.ref.place
        if isinstance(node, cst.BinaryOperation):
            return any(self.is_attached(Ref(side, place), depth) for side in (node.left, node.right))
        if isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
            return self.is_attached(Ref(node.expression, place), depth)
        return False

    def _result(self, value: Result, depth: int) -> bool:
        if id(value.node) in self._forwards:
            return self._is_recorded(value)
        if last_method(value) in _DETACHING:
            return False
        callee = value.callee
        if isinstance(callee, Member):
            return self.holds_graph(callee.base, depth)
        if isinstance(callee, External):
            known = callee.qualified.startswith("torch.") or callee.qualified == "builtins.sum"
            return known and self._any_argument(value, depth)
        is_loss = self._program.roles.is_loss(callee) or site(callee) in self._losses[1]
        return (is_loss or self._is_transparent(callee)) and self._any_argument(value, depth)

    def _is_transparent(self, callee: Value) -> bool:
        """A module such as ``nn.Softmax`` hands the graph of its input on."""
        return isinstance(callee, Result) and callee.qualified.startswith("torch.nn.")

    def _any_argument(self, value: Result, depth: int) -> bool:
        return any(self.is_attached(Ref(a.value, value.place), depth) for a in value.node.args)

    def is_in_network(self, block: Block) -> bool:
        """Whether a block stands in a method of an ``nn.Module``."""
        method = block.function
        if method is None or method.owner is None:
            return False
        place = Place(self._resolver.module_frame(method.scope), method.owner.place, method.owner.order)
        return self._program.roles.is_module_class(ClassValue(method.owner, place))

    def is_tensor(self, ref: Ref) -> bool:
        """Whether an attached expression is certainly one tensor, so that it has ``detach()``."""
        return all(self._is_tensor(value) for value in self._resolver.resolve(ref))

    def _is_tensor(self, value: Value) -> bool:
        if isinstance(value, Operation) or site(value) in self._losses[0]:
            return True
        if not isinstance(value, Result):
            return False
        if id(value.node) not in self._forwards:
            return last_method(value) not in _WITH_POSITIONS | {"split", "chunk", "unbind", "unique"}
        return self._is_given_to_loss(value)

    def _is_given_to_loss(self, output: Result) -> bool:
        """Whether a model output is used as a tensor: as the first argument of a PyTorch function or loss."""
        for call in self._program.facts.calls:
            if call.node.args and call.block.function is output.place.block.function:
                place = Place(output.place.frame, call.block, call.order)
                first = self._resolver.resolve(Ref(call.node.args[0].value, place))
                if any(v.key == output.key for v in first) and self._takes_tensor(Ref(call.node.func, place)):
                    return True
        return False

    def _takes_tensor(self, callee: Ref) -> bool:
        for value in self._resolver.resolve(callee):
            if isinstance(value, External) and value.qualified.startswith("torch."):
                return True
            if isinstance(value, (Result, Object)) and self._program.roles.is_loss(value):
                return True
        return False

    def attached_parts(self, ref: Ref) -> list[Ref]:
        """The smallest operands of an expression that hold a graph; ``detach()`` on them detaches the whole."""
        operands = _operands(ref.node)
        if not operands:
            return [ref]
        inner = [Ref(node, ref.place) for node in operands]
        return [part for operand in inner if self.arrives_attached(operand) for part in self.attached_parts(operand)]


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, cst.BinaryOperation):
        return [node.left, node.right]
    if isinstance(node, cst.UnaryOperation):
        return [node.expression]
    if isinstance(node, (cst.Tuple, cst.List)):
        return [element.value for element in node.elements]
    if isinstance(node, cst.Dict):
        return [element.value for element in node.elements]
    return []


def _call_chain(frame: Frame) -> tuple[Hashable, ...]:
    """The functions and the blocks of the calls that led to a frame, innermost first; contexts go by blocks."""
    chain: list[Hashable] = []
    while frame.caller is not None:
        chain.append((id(frame.function), id(frame.caller.block)))
        frame = frame.caller.frame
    return tuple(chain)


def last_method(value: Result) -> str:
    """The name of the method or library function behind a result."""
    return value.method or last_name(value)


def _is_number(program: Program, ref: Ref, depth: int) -> bool:
    """Whether an expression is made of numbers alone: literals, sizes and what is computed of them."""
    return depth < _MAX_DEPTH and all(_is_plain(program, v, depth + 1) for v in program.resolver.resolve(ref))


def _is_plain(program: Program, value: Value, depth: int) -> bool:
    if isinstance(value, Operation) and isinstance(value.ref.node, cst.BinaryOperation):
        sides = (value.ref.node.left, value.ref.node.right)
        return all(_is_number(program, Ref(side, value.ref.place), depth) for side in sides)
    if isinstance(value, Element):
        return _is_plain(program, value.base, depth)
    if isinstance(value, Member):
        return value.name in ("shape", "ndim")
    if isinstance(value, Result):
        return last_method(value) in ("size", "dim", "numel", "item", "len", "int", "float")
    return isinstance(value, Const)
