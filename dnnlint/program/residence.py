"""Where a tensor lies: whether an expression is certainly one on a CUDA device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dnnlint.facts import Binding, BindingKind, Block, BlockKind, Branch, Call, lookup
from dnnlint.program.evaluations import model_sites
from dnnlint.program.precision import device_types
from dnnlint.program.reaching import frame_of_scope, reaching
from dnnlint.program.tree import Kind
from dnnlint.program.values import External, Frame, Place, Ref, Result

if TYPE_CHECKING:
    from dnnlint.program import Program

_MAX_DEPTH = 12
_LEAVING = frozenset("cpu numpy item tolist size dim numel shape device dtype ndim backward".split())
MOVES = frozenset({"to", "cuda", "cpu"})


def names_cuda(program: Program, ref: Ref) -> bool:
    """Whether a device is CUDA wherever there is one: ``"cuda"``, ``"cuda" if is_available() else "cpu"``."""
    types = device_types(program.resolver, ref)
    return "cuda" in types and types <= {"cuda", "cpu"}


def moved_to_cuda(program: Program, node: cst.Call, place: Place) -> bool | None:
    """Whether a call puts its result on CUDA; False for the CPU or an unknown device, None where it names none."""
    method = node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
    if method in ("cuda", "cpu"):
        return method == "cuda"
    devices = [a.value for a in node.args if a.keyword is not None and a.keyword.value == "device"]
    if method == "to" and not devices and node.args and node.args[0].keyword is None and not node.args[0].star:
        first = Ref(node.args[0].value, place)
        if _is_dtype(program, first):
            return None
        devices.append(first.node)
    return names_cuda(program, Ref(devices[0], place)) if devices else None


def _is_dtype(program: Program, ref: Ref) -> bool:
    values = program.resolver.resolve(ref)
    return bool(values) and all(isinstance(v, External) and v.qualified.startswith("torch.") for v in values)


def _runs_with_cuda(call: Call) -> bool:
    """Whether a call runs wherever CUDA is used: under no condition but one that asks for the device."""
    block: Block | None = call.block
    while block is not None and block.kind not in (BlockKind.FUNCTION, BlockKind.MODULE):
        owner = block.owner
        if isinstance(owner, Branch) and not (block is owner.then and asks_for_device(owner)):
            return False
        block = block.parent
    return True


def asks_for_device(branch: Branch) -> bool:
    """Whether a condition is about CUDA alone, as ``if torch.cuda.is_available():``."""
    return branch.test is not None and _mentions_device(branch.test)


def _mentions_device(node: cst.CSTNode) -> bool:
    if isinstance(node, (cst.Comparison, cst.BooleanOperation)):
        return all(_mentions_device(side) for side in node.children if isinstance(side, cst.BaseExpression))
    if isinstance(node, cst.Call):
        return _mentions_device(node.func)
    name = node.attr.value if isinstance(node, cst.Attribute) else getattr(node, "value", "")
    return isinstance(name, str) and name in ("is_available", "use_cuda", "cuda", "device_count", "gpu", "use_gpu")


class Residence:
    """Follows tensors of one program to the call that moved them, or the network on CUDA that made them."""

    def __init__(self, program: Program) -> None:
        """Note the forward passes, whose outputs lie where their network lies."""
        self._program = program
        self._forwards = {id(event.call.node): event for event in program.events(Kind.FORWARD)}
        self._models_moved = self._moved_models()

    def _moved_models(self) -> frozenset[object]:
        """The networks that the file moves to CUDA."""
        found: set[object] = set()
        program = self._program
        for name in ("to", "cuda"):
            for call in program.resolver.sites_named(name):
                place = program.place_of(call)
                if isinstance(call.node.func, cst.Attribute) and _runs_with_cuda(call):
                    if not moved_to_cuda(program, call.node, place):
                        continue
                    values = program.resolver.resolve(Ref(call.node.func.value, place))
                    found |= model_sites(program, tuple(value for value in values if program.roles.is_model(value)))
        return frozenset(found)

    def is_on_cuda(self, ref: Ref, depth: int = 0) -> bool:
        """Whether an expression is certainly a tensor on CUDA."""
        node = ref.node
        if depth > _MAX_DEPTH:
            return False
        if isinstance(node, cst.Name):
            return self._name(ref, node.value, depth)
        if isinstance(node, cst.Call):
            return self._call(node, ref.place, depth)
        if isinstance(node, (cst.BinaryOperation, cst.Comparison)):
            sides = [node.left]
            sides.extend([node.right] if isinstance(node, cst.BinaryOperation) else [])
            return any(self.is_on_cuda(Ref(side, ref.place), depth + 1) for side in sides)
        if isinstance(node, cst.UnaryOperation):
            return self.is_on_cuda(Ref(node.expression, ref.place), depth + 1)
        if isinstance(node, cst.Subscript):
            return self.is_on_cuda(Ref(node.value, ref.place), depth + 1)
        return False

    def _name(self, ref: Ref, name: str, depth: int) -> bool:
        scope, bindings = lookup(ref.place.block.scope, name)
        frame = frame_of_scope(ref.place.frame, scope) if scope is not None else None
        if frame is None:
            return False
        seen = reaching(bindings, ref.place) if frame is ref.place.frame else bindings
        if len(seen) == 1 and seen[0].kind == BindingKind.PARAM:
            passed = frame.arguments.get(name, ())
            return len(passed) == 1 and self.is_on_cuda(passed[0], depth + 1)
        return bool(seen) and all(self._binding(binding, frame, depth) for binding in seen)

    def _binding(self, binding: Binding, frame: Frame, depth: int) -> bool:
        value = binding.value
        if binding.kind != BindingKind.ASSIGN or binding.block is None or not isinstance(value, cst.BaseExpression):
            return False
        place = Place(frame, binding.block, binding.order)
        for index in binding.path:
            if isinstance(value, (cst.Tuple, cst.List)) and index < len(value.elements):
                value = value.elements[index].value
            else:
                # One of several outputs of a call.
                break
        return self.is_on_cuda(Ref(value, place), depth + 1)

    def _call(self, node: cst.Call, place: Place, depth: int) -> bool:
        moved = moved_to_cuda(self._program, node, place)
        if moved is not None:
            return moved
        if id(node) in self._forwards:
            sites = model_sites(self._program, self._forwards[id(node)].targets)
            return bool(sites) and sites <= self._models_moved
        func = node.func
        if isinstance(func, cst.Attribute):
            if func.attr.value in _LEAVING:
                return False
            if self.is_on_cuda(Ref(func.value, place), depth + 1):
                return True
        callees = self._program.resolver.resolve(Ref(func, place))
        known = [self._keeps_device(value) for value in callees]
        arguments = [Ref(a.value, place) for a in node.args if not a.star]
        return bool(known) and all(known) and any(self.is_on_cuda(ref, depth + 1) for ref in arguments)

    def _keeps_device(self, callee: object) -> bool:
        if isinstance(callee, External):
            return callee.qualified.startswith("torch.")
        return isinstance(callee, Result) and (
            callee.qualified.startswith("torch.nn.") or self._program.roles.is_loss(callee)
        )
